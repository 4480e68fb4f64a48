# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # sourced by ../veth
# Two programs on our devices against each other: the table of what runs, and one run with its verdict. Who sources this has laid
# the wire and set:
#   server_netns, client_netns   where the two sides run
#   sniff_netns, sniff           the interface that sees every packet
#   ipv4, ipv6                   arrays: address of the server's device, of the first client's, of the second's
#   tcp                          IPv4 address at which the clients meet the server
#   only                         which cases: a regular expression
passed=0 failed=0 skipped=0
work=$(mktemp -d)

listens() { ip netns exec "$server_netns" ss -Hltn "sport = :18515" | grep -q .; }

# A ping-pong of ours, or (ib_*) a program of perftest on our device.
side() { # COMMAND TRANSPORT ADDRESS OPTIONS...    sets command_line
  local command=$1 transport=$2 address=$3; shift 3
  case $command in
    ib_*) command_line=("$root/bin/queuepair" run --address "$address" -- "$command" -x 0 -F "$@") ;;
    *) command_line=("$root/bin/queuepair" pingpong --type "$command" --bind "$address" --transport "$transport" "$@") ;;
  esac
}

play() { # COMMAND TRANSPORT SERVER-ADDRESS CLIENT-ADDRESSES OPTIONS...    clients are separated by commas
  local command=$1 transport=$2 server=$3 clients=$4 client pid pids=() ok=0 listen=(--listen "$tcp"); shift 4
  case $command in ib_*) listen=() ;; esac
  side "$command" "$transport" "$server" "${listen[@]}" "$@"
  ip netns exec "$server_netns" timeout 120 "${command_line[@]}" >"$work/server" 2>&1 &
  local server_pid=$!
  wait_until 60 listens || { wait $server_pid || true; return 1; }
  for client in ${clients//,/ }; do
    side "$command" "$transport" "$client" "$@" "$tcp"
    ip netns exec "$client_netns" timeout 120 "${command_line[@]}" >"$work/client-$client" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || ok=1; done
  [ $ok = 0 ] || kill $server_pid 2>/dev/null || true
  wait $server_pid && return $ok
}

binds_roce() { ip netns exec "$server_netns" ss -Hlun "sport = :4791" | grep -q .; }

# The services of programs stay for a moment after them.
is_free() { ! both_hosts ss -Hlun "sport = :4791" | grep -q .; }
both_hosts() { ip netns exec "$server_netns" "$@" && ip netns exec "$client_netns" "$@"; }

# The same for programs that meet through the connection manager, at the addresses of their devices.
play_cm() { # COMMAND-OF-SERVER COMMAND-OF-CLIENT TRANSPORT SERVER-ADDRESS CLIENT-ADDRESS
  local server=$1 client=$2 transport=$3 ok=0
  # shellcheck disable=SC2086 # a command and its options
  ip netns exec "$server_netns" timeout 120 "$root/bin/queuepair" $server --bind "$4" --transport "$transport" >"$work/server" 2>&1 &
  local server_pid=$!
  wait_until 60 binds_roce || { wait $server_pid || true; return 1; }
  # shellcheck disable=SC2086
  ip netns exec "$client_netns" timeout 120 "$root/bin/queuepair" ${client//SERVER/$4} --bind "$5" --transport "$transport" \
    >"$work/client-$5" 2>&1 || ok=1
  [ $ok = 0 ] || kill $server_pid 2>/dev/null || true
  wait $server_pid && return $ok
}

start_capture() { # sets tcpdump and capture
  wait_until 5 is_free || true
  capture=$work/capture.pcap
  rm -f -- "$capture" "$work"/client-* "$work/server"
  # Not through a function: a signal would reach its shell instead.
  ip netns exec "$sniff_netns" timeout 300 tcpdump -Z root -i "$sniff" -w "$capture" -U --immediate-mode -B 65536 udp port 4791 \
    >/dev/null 2>&1 &
  tcpdump=$!
  wait_until 20 captures "$capture"
}

end_capture() { # prints what is in it; status 1 if an ICRC is wrong
  kill "$tcpdump"
  wait "$tcpdump" || true
  check_capture "$capture"
}

verdict() { # OK NAME TEXT
  if [ "$1" = 1 ]; then
    passed=$((passed + 1)); echo "ok   $2: $3"
  else
    failed=$((failed + 1)); echo "FAIL $2: $(tail -n 3 <<<"$3")"; cat "$work/server" "$work"/client-*
  fi
}

run() { # COMMAND TRANSPORT IP CLIENTS OPTIONS...    IP is ipv4 or ipv6, CLIENTS is one or two
  local command=$1 transport=$2 ip=$3 count=$4; shift 4
  local -n addresses=$ip
  local name="$command $transport $ip $*" clients=${addresses[1]} ok=1 checked
  [[ $name =~ $only ]] || return 0
  [ "$count" = one ] || clients+=,${addresses[2]}
  start_capture
  play "$command" "$transport" "${addresses[0]}" "$clients" "$@" || ok=0
  checked=$(end_capture) || ok=0
  if grep -q "invalid data" "$work/server" "$work"/client-*; then ok=0; fi
  verdict $ok "$name" "$checked"
}

run_cm() { # TRANSPORT IP COMMAND-OF-SERVER COMMAND-OF-CLIENT    SERVER stands for the address of the server
  local -n addresses=$2
  local name="$4 $1 $2" ok=1 checked
  [[ $name =~ $only ]] || return 0
  start_capture
  play_cm "${3//SERVER/${addresses[0]}}" "$4" "$1" "${addresses[0]}" "${addresses[1]}" || ok=0
  checked=$(end_capture) || ok=0
  verdict $ok "$name" "$checked"
}

run_kinds() { # each kind of queue pair and of operation, with one or two clients, on epoll and NIO
  local jdk
  run rc epoll ipv4 one -n 200 -c -s 65536 -m 1024
  run rc epoll ipv6 one -n 20 -c -s 1048576 -m 4096
  run uc epoll ipv4 one -n 200 -c -s 65536 -m 1024
  run ud epoll ipv4 one -n 200 -c -s 4096 -e
  run srq epoll ipv4 one -n 200 -c -s 65536 -m 1024 -q 4 -r 8 -e
  # XRC: Linux Soft-RoCE has none, so this is where two processes are seen to understand each other.
  run xrc epoll ipv6 two -n 100 -s 1500 --clients 2 -e

  jdk=$(newest_jdk)
  if [ -n "$jdk" ]; then
    JAVA_HOME=$jdk run rc nio ipv4 one -n 200 -c -s 65536 -m 1024
  else
    skipped=$((skipped + 1)); echo "skip nio ipv4: it needs JDK 19 or newer to fix the IPv4 identification"
  fi
  run rc nio ipv6 one -n 200 -c -s 65536 -m 1024
  run ud nio ipv6 one -n 200 -c -s 1500
  run xrc nio ipv6 one -n 100 -s 1500

  run ib_write_bw epoll ipv4 one -n 50 -s 65536 -m 1024
  run ib_read_bw epoll ipv6 one -n 20 -s 4096 -b -q 4
  run ib_send_lat epoll ipv6 one -n 20 -s 5000
  run ib_send_lat epoll ipv6 one -n 50 -s 1 -c UD
  run ib_atomic_bw epoll ipv4 one -n 50
}

run_sizes() { # other sizes, path MTUs and options of these
  local size jdk
  for size in 1 1500; do
    run rc epoll ipv4 one -n 200 -c -s $size -m 1024
  done
  run rc epoll ipv6 one -n 200 -c -s 65536 -m 4096
  run uc epoll ipv4 one -n 200 -c -s 65536 -m 1024 -e
  run uc epoll ipv6 one -n 200 -c -s 65536 -m 4096
  run ud epoll ipv4 one -n 200 -c -s 4096
  run ud epoll ipv6 one -n 200 -c -s 1
  run srq epoll ipv4 one -n 200 -c -s 65536 -m 1024 -q 4 -r 8
  run srq epoll ipv6 one -n 200 -c -s 1500 -q 255
  run xrc epoll ipv4 one -n 200 -s 65536 -m 1024
  run xrc epoll ipv4 one -n 200 -s 65536 -m 1024 -e
  run xrc epoll ipv4 two -n 100 -s 1500 --clients 2
  jdk=$(newest_jdk)
  [ -z "$jdk" ] || JAVA_HOME=$jdk run rc nio ipv4 one -n 200 -c -s 1 -m 1024

  run ib_write_bw epoll ipv6 one -n 20 -s 4096 -b -q 4
  run ib_write_lat epoll ipv6 one -n 20 -s 5000
  run ib_read_bw epoll ipv4 one -n 50 -s 65536 -m 1024
  run ib_read_lat epoll ipv6 one -n 20 -s 5000
  run ib_send_bw epoll ipv4 one -n 50 -s 65536 -m 1024
  run ib_send_bw epoll ipv6 one -n 20 -s 4096 -b -q 4
  run ib_write_bw epoll ipv4 one -n 50 -s 4096 -m 1024 -c UC
  run ib_atomic_bw epoll ipv6 one -n 50 -b -A CMP_AND_SWAP
  run ib_send_bw epoll ipv6 one -n 50 -s 4096 -e --use-srq
  # XRC: as with the ping-pong, Linux Soft-RoCE has none.
  run ib_send_bw epoll ipv4 one -n 50 -s 4096 -c XRC -q 2 -b
}

run_rdmacm() {
  local ip
  for ip in ipv4 ipv6; do
    run_cm epoll $ip "rping -s -a SERVER -C 20 -S 1000" "rping -c -a SERVER -C 20 -S 1000 -V"
  done
  run_cm nio ipv6 "rping -s -a SERVER -C 20" "rping -c -a SERVER -C 20 -V"
}

end_pairs() { # last line and exit status
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ]
}

clean_up_in() { # NETNS...    with every process in them, and the work
  local netns pids
  for netns in "$@"; do
    pids=$(ip netns pids "$netns" 2>/dev/null || true)
    # shellcheck disable=SC2086 # many words on purpose
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    ip netns del "$netns" 2>/dev/null || true
  done
  rm -rf -- "$work"
}

# shellcheck shell=bash disable=SC2154 # sourced by ../loopback and ../veth
# Two programs of ours against each other: the table of what runs, and one run with its verdict. Who sources this has laid the wire
# and set:
#   server_netns, client_netns   where the two sides run
#   sniff_netns, sniff           the interface that sees every packet
#   ipv4, ipv6                   arrays: address of the server's device, of the first client's, of the second's
#   tcp                          IPv4 address at which the clients meet the server
#   only                         which cases: a regular expression
passed=0 failed=0 skipped=0
work=$(mktemp -d)

listens() { ip netns exec "$server_netns" ss -Hltn "sport = :18515" | grep -q .; }

pingpong() { # KIND TRANSPORT SERVER-ADDRESS CLIENT-ADDRESSES OPTIONS...    clients are separated by commas
  local kind=$1 transport=$2 server=$3 clients=$4 client pid pids=() ok=0; shift 4
  ip netns exec "$server_netns" timeout 120 "$root/bin/queuepair" "$kind-pingpong" --bind "$server" --transport "$transport" "$@" \
    >"$work/server" 2>&1 &
  local server_pid=$!
  wait_until 60 listens || { wait $server_pid || true; return 1; }
  for client in ${clients//,/ }; do
    ip netns exec "$client_netns" timeout 120 "$root/bin/queuepair" "$kind-pingpong" --bind "$client" --transport "$transport" "$@" "$tcp" \
      >"$work/client-$client" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || ok=1; done
  [ $ok = 0 ] || kill $server_pid 2>/dev/null || true
  wait $server_pid && return $ok
}

start_capture() { # sets tcpdump and capture
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

run() { # KIND TRANSPORT IP CLIENTS OPTIONS...    IP is ipv4 or ipv6, CLIENTS is one or two
  local kind=$1 transport=$2 ip=$3 count=$4; shift 4
  local -n addresses=$ip
  local name="$kind $transport $ip $*" clients=${addresses[1]} ok=1 checked
  [[ $name =~ $only ]] || return 0
  [ "$count" = one ] || clients+=,${addresses[2]}
  start_capture
  pingpong "$kind" "$transport" "${addresses[0]}" "$clients" "$@" || ok=0
  checked=$(end_capture) || ok=0
  if grep -q "invalid data" "$work/server" "$work"/client-*; then ok=0; fi
  verdict $ok "$name" "$checked"
}

run_pairs() {
  local size events jdk
  for size in 1 1500 65536; do
    run rc epoll ipv4 one -n 200 -c -s $size -m 1024
  done
  run rc epoll ipv6 one -n 200 -c -s 65536 -m 4096
  run rc epoll ipv6 one -n 20 -c -s 1048576 -m 4096
  for events in "" -e; do
    # shellcheck disable=SC2086 # no word without events
    run uc epoll ipv4 one -n 200 -c -s 65536 -m 1024 $events
    # shellcheck disable=SC2086
    run ud epoll ipv4 one -n 200 -c -s 4096 $events
    # shellcheck disable=SC2086
    run srq epoll ipv4 one -n 200 -c -s 65536 -m 1024 -q 4 -r 8 $events
  done
  run uc epoll ipv6 one -n 200 -c -s 65536 -m 4096
  run ud epoll ipv6 one -n 200 -c -s 1
  run srq epoll ipv6 one -n 200 -c -s 1500 -q 255
  # XRC: Linux Soft-RoCE has none, so this is where two processes are seen to understand each other.
  for events in "" -e; do
    # shellcheck disable=SC2086 # no word without events
    run xsrq epoll ipv4 one -n 200 -s 65536 -m 1024 $events
  done
  run xsrq epoll ipv4 two -n 100 -s 1500 -c 2
  run xsrq epoll ipv6 two -n 100 -s 1500 -c 2 -e

  jdk=$(newest_jdk)
  if [ -n "$jdk" ]; then
    for size in 1 65536; do
      JAVA_HOME=$jdk run rc nio ipv4 one -n 200 -c -s $size -m 1024
    done
  else
    skipped=$((skipped + 1)); echo "skip nio ipv4: it needs JDK 19 or newer to fix the IPv4 identification"
  fi
  run rc nio ipv6 one -n 200 -c -s 65536 -m 1024
  run ud nio ipv6 one -n 200 -c -s 1500
  run xsrq nio ipv6 one -n 100 -s 1500
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

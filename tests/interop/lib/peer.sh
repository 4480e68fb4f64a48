# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by ../run
# The other side of the guest under test: ours on the host, or (--peer guest) the same Linux programs in guest 3.
# `sides` hides the difference: a side is "guest2", "guest3" or "host".

peer_setup() { # host|guest
  if [ "$1" = guest ]; then peer=guest3 guests=(2 3); else peer=host guests=(2); fi
}

side_number() { case $1 in host) echo 1 ;; guest*) echo "${1#guest}" ;; esac; }

side_address() { # SIDE IP    of its device
  case $2 in 4) echo "192.0.2.$(side_number "$1")" ;; 6) echo "fd00:99::$(side_number "$1")" ;; esac
}

side_command() { # SIDE PROGRAM ACK-TIMER IP SERVER-SIDE-OR-EMPTY MTU SIZE ITERATIONS OPTIONS    prints the command line
  local side=$1 program=$2 timer=$3 ip=$4 server=$5 mtu=$6 size=$7 iterations=$8 options=$9 device preload=""
  # The TCP connection is IPv4 in every case, as the ibv_*_pingpong listen on the first family that it finds only.
  if [ "$side" = host ]; then device="--bind $(side_address host "$ip")"; else device="-d rxe0 -g $((ip / 2 - 1))"; fi
  if [ -n "$server" ]; then
    server=$(side_address "$server" 4)
  elif [ "$side" = host ] && [ "$program" != integrity ]; then
    device+=" --listen $(side_address host 4)"
  fi
  if is_cm "$program" "$options"; then
    cm_command "$@"
    return
  fi
  case $program in
    *-pingpong)
      [ "$mtu" = - ] || options="-m $mtu $options"
      options="$device -s $size -n $iterations $options $server"
      [ "$timer" != off ] || preload="env LD_PRELOAD=/usr/lib/ack-timer-off.so "
      if [ "$side" = host ]; then echo "$QUEUEPAIR $program $options"; else echo "${preload}ibv_${program/-/_} $options"; fi
      ;;
    *-bw | *-lat)
      [ "$side" = host ] || device="-d rxe0 -x $((ip / 2 - 1))"
      [ "$size" = - ] || options="-s $size $options"
      [ "$iterations" = - ] || options="-n $iterations $options"
      options="$device -F -m $mtu $options $server"
      [ "$timer" != off ] || preload="env LD_PRELOAD=/usr/lib/ack-timer-off.so "
      if [ "$side" = host ]; then echo "$QUEUEPAIR $program $options"; else echo "${preload}ib_${program/-/_} $options"; fi
      ;;
    integrity)
      if [ "$side" != host ]; then
        device="--device rxe0 --gid-index $((ip / 2 - 1))"
        [ "$timer" = off ] || device+=" --ack-timeout 14"
      fi
      options="$device --mtu $mtu ${server:+--connect $server}"
      [ -n "$server" ] || options="$options --listen"
      if [ "$side" = host ]; then echo "$JAVA_PEER $options"; else echo "python3 /share/bin/integrity.py $options"; fi
      ;;
  esac
}

is_cm() { # PROGRAM OPTIONS    whether the two sides meet through rdma_cm, and not over TCP
  case "$1 $2 " in
    rping\ * | ucmatose\ * | udaddy\ * | mckey\ * | rdma-client\ * | *' -R '*) return 0 ;;
    *) return 1 ;;
  esac
}

# The addresses are those of the devices: rdma_cm finds the device by them. Ours takes the options of the originals.
cm_command() { # as side_command
  local side=$1 program=$2 timer=$3 ip=$4 server=$5 mtu=$6 size=$7 iterations=$8 options=$9 own tool times
  times=$(runs_of "$options")
  [ -z "$times" ] || options=${options/again$times/}
  serves_again "$program" || times=
  own=$(side_address "$side" "$ip")
  [ -z "$server" ] || server=$(side_address "$server" "$ip")
  [ "$size" = - ] || case $program in *-bw | *-lat) options="-s $size $options" ;; *) options="-S $size $options" ;; esac
  [ "$iterations" = - ] || case $program in *-bw | *-lat) options="-n $iterations $options" ;; *) options="-C $iterations $options" ;; esac
  tool=$program
  case $program in
    rping)
      [ -n "$server" ] || [ -z "$times" ] || options+=" -P"
      if [ -n "$server" ]; then options="-c -a $server $options"; else options="-s -a $own $options"; fi
      ;;
    ucmatose | udaddy) if [ -n "$server" ]; then options="-s $server $options"; else options="-b $own $options"; fi ;;
    mckey)
      case $ip in 4) options="-m 239.192.0.7 -b $own $options" ;; 6) options="-m ff0e::7 -b $own $options" ;; esac
      [ -z "$server" ] || options="-s $options"
      ;;
    rdma-client)
      if [ -n "$server" ]; then options="-s $server $options"; else options="-s $own $options" tool=rdma-server; fi
      ;;
    *)
      [ "$mtu" = - ] || options="-m $mtu $options"
      if [ "$side" = host ]; then options="-F $options"; else options="-d rxe0 -x $((ip / 2 - 1)) -F $options"; fi
      [ -z "$server" ] || options+=" $server"
      ;;
  esac
  if [ -n "$times" ] && [ -n "$server" ]; then
    if [ "$side" = host ]; then times="$here/guest/again $times "; else times="/share/bin/again $times "; fi
  else
    times=
  fi
  if [ "$side" = host ]; then
    echo "$times$QUEUEPAIR $tool --bind $own $options"
  else
    case $program in *-bw | *-lat) tool=ib_$program ;; esac
    echo "$times${tool//-/_} $options"
  fi
}

# Whether its server (rping -P) takes one client after the other, until it is stopped; others end with their client.
serves_again() { [ "$1" = rping ]; } # PROGRAM

# How often the client runs; empty if once.
runs_of() { # OPTIONS
  [[ " $1 " =~ \ again([0-9]+)\  ]] && echo "${BASH_REMATCH[1]}" || true
}

# Why a case cannot be run, or nothing.
cm_missing() { # PROGRAM OPTIONS
  local tool help
  [ "$peer" = host ] || return 0
  is_cm "$1" "$2" || return 0
  for tool in $(case $1 in rdma-client) echo rdma-client rdma-server ;; *) echo "$1" ;; esac); do
    help=$($QUEUEPAIR "$tool" --help 2> /dev/null || true) # for a command that it has not, that of all
    if ! grep -q "^Usage: queuepair $tool\\b" <<< "$help"; then
      echo "there is no command queuepair $tool"
      return 0
    fi
    case " $2 " in *' -R '*) grep -qE -- '(^|[^[:alnum:]])-R([^[:alnum:]]|$)' <<< "$help" || { echo "queuepair $tool has no option -R"; return 0; } ;; esac
  done
}

side_start() { # SIDE SECONDS COMMAND    sets job
  # shellcheck disable=SC2086 # the command is a line of words
  case $1 in host) host_start "$2" $3 ;; guest*) guest_start "${1#guest}" "$2" $3 ;; esac
}

side_serve() { # SIDE SECONDS PORT COMMAND    starts it and waits until it listens, for port cm through rdma_cm; status 1 when it does not
  case $1-$3 in
    host-cm)
      side_start host "$2" "$4"
      wait_for 60 host_has_roce_or_done "$job"
      ! job_done "$job"
      return
      ;;
    guest*-cm)
      side_start "$1" "$2" "/share/bin/serve-cm $4"
      wait_for 60 guest_listens_or_done "$job" "${1#guest}"
      return
      ;;
  esac
  case $1 in
    host)
      side_start host "$2" "$4"
      wait_for 60 host_listens_or_done "$3" "$job"
      host_listens "$3" || ! job_done "$job"
      ;;
    guest*)
      side_start "$1" "$2" "/share/bin/serve $3 $4"
      wait_for 60 guest_listens_or_done "$job" "${1#guest}"
      ;;
  esac
}

host_listens_or_done() { host_listens "$1" || job_done "$2"; }

host_has_roce_or_done() { [ -n "$(ip netns exec "$netns" ss -Hlun "sport = :4791")" ] || job_done "$1"; }

guest_listens_or_done() { [ -e "$1.ready" ] || job_done_or_dead "$1" "$2"; }

side_stop() { # SIDE JOB
  job_done "$2" && return
  case $1 in host) host_stop "$2" ;; guest*) guest_stop "${1#guest}" "$2" ;; esac
}

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
  [ -z "$server" ] || server=$(side_address "$server" 4)
  if [ "$side" = host ]; then device="--bind $(side_address host "$ip")"; else device="-d rxe0 -g $((ip / 2 - 1))"; fi
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

side_start() { # SIDE SECONDS COMMAND    sets job
  # shellcheck disable=SC2086 # the command is a line of words
  case $1 in host) host_start "$2" $3 ;; guest*) guest_start "${1#guest}" "$2" $3 ;; esac
}

side_serve() { # SIDE SECONDS PORT COMMAND    starts it and waits until it listens; status 1 when it does not
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

guest_listens_or_done() { [ -e "$1.ready" ] || job_done_or_dead "$1" "$2"; }

side_stop() { # SIDE JOB
  job_done "$2" && return
  case $1 in host) host_stop "$2" ;; guest*) guest_stop "${1#guest}" "$2" ;; esac
}

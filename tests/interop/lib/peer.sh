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

# The options of the device; ours is the only one, at the address of the case.
side_device() { # SIDE OPTION IP    the option names the index of a GID
  if [ "$1" = host ]; then echo "$2 0"; else echo "-d rxe0 $2 $(($3 / 2 - 1))"; fi
}

side_command() { # SIDE PROGRAM ACK-TIMER IP SERVER-SIDE-OR-EMPTY MTU SIZE ITERATIONS OPTIONS    prints the command line
  local side=$1 program=$2 timer=$3 ip=$4 server=$5 mtu=$6 size=$7 iterations=$8 options=$9 device preload=""
  if is_cm "$program" "$options"; then
    cm_command "$@"
    return
  fi
  # The TCP connection is IPv4 in every case, as the ibv_*_pingpong listen on the first family that it finds only.
  [ -z "$server" ] || server=$(side_address "$server" 4)
  [ "$side" = host ] || [ "$timer" != off ] || preload="env LD_PRELOAD=/usr/lib/ack-timer-off.so "
  [ "$mtu" = - ] || options="-m $mtu $options"
  [ "$size" = - ] || options="-s $size $options"
  [ "$iterations" = - ] || options="-n $iterations $options"
  case $side-$program in
    host-java-*)
      device="--bind $(side_address host "$ip")"
      [ -n "$server" ] || device+=" --listen $(side_address host 4)"
      program=${program#java-}
      echo "$QUEUEPAIR pingpong --type ${program%-pingpong} $device $options $server"
      ;;
    *-pingpong)
      program=${program#java-}
      echo "${preload}ibv_${program/-/_} $(side_device "$side" -g "$ip") $options $server"
      ;;
    *-bw | *-lat) echo "${preload}ib_${program/-/_} $(side_device "$side" -x "$ip") -F $options $server" ;;
    *-integrity)
      if [ "$side" = host ]; then
        device="--bind $(side_address host "$ip")"
      else
        device="--device rxe0 --gid-index $((ip / 2 - 1))"
        [ "$timer" = off ] || device+=" --ack-timeout 14"
      fi
      options="$device --mtu $mtu --${server:+connect $server}"
      [ -n "$server" ] || options+=listen
      if [ "$side" = host ]; then echo "$JAVA_PEER $options"; else echo "python3 /share/bin/integrity.py $options"; fi
      ;;
  esac
}

is_cm() { # PROGRAM OPTIONS    whether the two sides meet through rdma_cm, and not over TCP
  case "$1 $2 " in
    *rping\ * | ucmatose\ * | udaddy\ * | mckey\ * | rdma-client\ * | *' -R '*) return 0 ;;
    *) return 1 ;;
  esac
}

# The addresses are those of the devices: rdma_cm finds the device by them.
cm_command() { # as side_command
  local side=$1 program=$2 timer=$3 ip=$4 server=$5 mtu=$6 size=$7 iterations=$8 options=$9 own tool times again=""
  times=$(runs_of "$options")
  options=${options/again$times/}
  serves_again "$program" || times=
  own=$(side_address "$side" "$ip")
  [ -z "$server" ] || server=$(side_address "$server" "$ip")
  [ "$size" = - ] || case $program in *-bw | *-lat) options="-s $size $options" ;; *) options="-S $size $options" ;; esac
  [ "$iterations" = - ] || case $program in *-bw | *-lat) options="-n $iterations $options" ;; *) options="-C $iterations $options" ;; esac
  tool=${program//-/_}
  case $program in
    rping | java-rping)
      tool=rping
      [ -n "$server" ] || [ -z "$times" ] || options+=" -P"
      if [ -n "$server" ]; then options="-c -a $server $options"; else options="-s -a $own $options"; fi
      ;;
    ucmatose | udaddy) if [ -n "$server" ]; then options="-s $server $options"; else options="-b $own $options"; fi ;;
    mckey)
      case $ip in 4) options="-m 239.192.0.7 -b $own $options" ;; 6) options="-m ff0e::7 -b $own $options" ;; esac
      [ -z "$server" ] || options="-s $options"
      ;;
    rdma-client) if [ -n "$server" ]; then options="-s $server $options"; else options="-s $own $options" tool=rdma_server; fi ;;
    *)
      tool=ib_$tool
      [ "$mtu" = - ] || options="-m $mtu $options"
      options="-F $options $server"
      [ "$side" = host ] || options="$(side_device "$side" -x "$ip") $options"
      [ "$side" = host ] || [ -z "$server" ] || tool="env LD_PRELOAD=/usr/lib/late-connect.so $tool"
      ;;
  esac
  if [ -n "$times" ] && [ -n "$server" ]; then
    if [ "$side" = host ]; then again="$here/guest/again $times "; else again="/share/bin/again $times "; fi
  fi
  case $side-$program in host-java-rping) tool="$QUEUEPAIR rping --bind $own" ;; esac
  echo "$again$tool $options"
}

# Whether its server (rping -P) takes one client after the other, until it is stopped; others end with their client.
serves_again() { [ "$1" = rping ]; } # PROGRAM

# How often the client runs; empty if once.
runs_of() { # OPTIONS
  [[ " $1 " =~ \ again([0-9]+)\  ]] && echo "${BASH_REMATCH[1]}" || true
}

side_start() { # SIDE SECONDS COMMAND    sets job
  # shellcheck disable=SC2086 # the command is a line of words
  case $1 in host) host_start "$2" $3 ;; guest*) guest_start "${1#guest}" "$2" $3 ;; esac
}

side_serve() { # SIDE SECONDS PORT COMMAND    starts it and waits until it listens, for port cm through rdma_cm; status 1 when it does not
  case $1-$3 in
    host-cm)
      side_start host "$2" "$4"
      # Nothing shows that these two listen: mckey has no listener, and the device of a JVM no rdma(8).
      case $4 in mckey*) wait_for 60 host_has_roce && sleep 3 ;; *".jar rping "*) wait_for 60 host_has_roce && sleep 1 ;; *) wait_for 60 host_serves_cm_or_done "$job" ;; esac
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

guest_listens_or_done() { [ -e "$1.ready" ] || job_done_or_dead "$1" "$2"; }

side_stop() { # SIDE JOB
  job_done "$2" && return
  case $1 in host) host_stop "$2" ;; guest*) guest_stop "${1#guest}" "$2" ;; esac
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by ../run
# The programs of Debian on our device: they attach to one service, which `queuepair service start` keeps.

host_check_machine() { # PROGRAMS    calls skip with a reason if they cannot run here
  local tool
  needs_peer=$(grep -w integrity <<< "$1" || true)
  needs_programs=$(tr ' ' '\n' <<< "$1" | grep -vE '^(java-.*|integrity|)$' || true)
  [ -n "$needs_programs" ] || return 0
  for tool in cc ibv_rc_pingpong rping ib_write_bw; do
    command -v "$tool" > /dev/null || skip "$tool is not installed"
  done
}

host_prepare() { # sets QUEUEPAIR
  local preloaded
  "$root/bin/queuepair" --version > /dev/null # builds it if need be
  [ -z "$needs_peer" ] || build_ours
  QUEUEPAIR=${QUEUEPAIR:-$jvm -jar $jar}
  command -v "${QUEUEPAIR%% *}" > /dev/null || fail "there is no ${QUEUEPAIR%% *}; build it first, or set QUEUEPAIR"
  [ -n "$needs_programs" ] || return 0
  for preloaded in ack-timer-off late-connect; do
    cc -shared -fPIC -o "$work/$preloaded.so" "$here/guest/$preloaded.c" || fail "$preloaded.c does not compile"
  done
}

host_env_for() { # PROGRAM ACK-TIMER ROLE IP OPTIONS    sets host_env, what comes before the program
  host_env=()
  case $1 in
    java-* | integrity) # The device is in the program, at the same port.
      host_service_stop
      [ "$1-$2" != integrity-off ] || host_env=(QUEUEPAIR_ACK_TIMEOUT=0)
      ;;
    *)
      host_service_start
      [ "$2" != off ] || host_env=("LD_PRELOAD=$work/ack-timer-off.so")
      case "$3 $5 " in 'client '*'-R '*) host_env=("LD_PRELOAD=$work/late-connect.so") ;; esac
      host_env+=("XDG_CACHE_HOME=$work/cache" "$root/bin/queuepair" run -- env "QUEUEPAIR_ADDRESS=$(side_address host "$4")")
      ;;
  esac
}

host_service() {
  ip netns exec "$netns" nice -n -10 env "XDG_CACHE_HOME=$work/cache" "$root/bin/queuepair" service "$@"
}

host_service_mtu='' # of its devices, which have it from their start; empty while there is no service
host_service_start() {
  [ "$host_service_mtu" != "$guest_mtu" ] || return 0
  host_service_stop
  host_service start --address "$(side_address host 4)" --address "$(side_address host 6)" || fail "the service does not start"
  host_service_mtu=$guest_mtu
}

host_service_stop() {
  [ -n "$host_service_mtu" ] || return 0
  host_service stop || true
  host_service_mtu=''
}

host_has_roce() { [ -n "$(ip netns exec "$netns" ss -Hlun "sport = :4791")" ]; }

host_serves_cm_or_done() { # JOB
  local pid program='' environment=()
  job_done "$1" && return
  # Each of these files may be gone, and the line of children has no end.
  pid=$(cat "$1.pid" 2> /dev/null) || return 1
  read -r program _ 2> /dev/null < "/proc/$pid/task/$pid/children" || [ -n "$program" ] || return 1
  mapfile -d '' -t environment 2> /dev/null < "/proc/$program/environ" || return 1
  # As rdma(8) sees it in the environment of the program: the device of its service.
  ip netns exec "$netns" env -i "${environment[@]}" rdma resource show cm_id 2> /dev/null | grep -q "state LISTEN .*pid $program "
}

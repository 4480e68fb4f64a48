# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by ../run
# One case: run a program on both sides and judge it. What is wrong with it is collected in the array `reasons`;
# `corrupt` is not empty when bytes were wrong.

# Counters of rxe that say how much was done. All others say that something was repeated, lost or refused, and must not change.
traffic_counters='sent_pkts|rcvd_pkts|rdma_sends|rdma_recvs|ack_deferred|lifespan|icrc_checks'

attempt() { # DIR PROGRAM ACK-TIMER ROLE IP MTU SIZE ITERATIONS SECONDS OPTIONS    status 0 when nothing is wrong
  local dir=$1 program=$2 timer=$3 role=$4 ip=$5 mtu=$6 size=$7 iterations=$8 seconds=$9 options=${10}
  local server client port runs number unanswered
  reasons=() corrupt=''
  mkdir -p "$dir"
  if [ "$role" = server ]; then server=$peer client=guest2; else server=guest2 client=$peer; fi
  if is_cm "$program" "$options"; then port=cm; elif [ "$program" = integrity ]; then port=18516; else port=18515; fi
  [ "$peer" != host ] || host_env_for "$program" "$timer" "$role" "$ip" "$options"
  if is_bad_wire "$timer"; then wire "$timer" || return 1; else wire good || return 1; fi
  snapshot_before "$dir/before" || return 1

  runs=1
  serves_again "$program" || runs=$(runs_of "$options")
  for ((number = 1; number <= ${runs:-1}; number++)); do
    if ! run_pair "$@"; then
      [ "${runs:-1}" -le 1 ] || reasons+=("run $number of $runs")
      break
    fi
  done
  unanswered=''
  if is_one_way "$program" "$options"; then unanswered=$client; fi
  if snapshot "$dir/after"; then judge_guests "$dir" "$timer" "$unanswered" "$program-$client"; fi
  [ ${#reasons[@]} = 0 ] || return 1
  is_bad_wire "$timer" || latest_snapshot=$dir/after
}

# One run of both programs, in the variables of `attempt`; status 0 when nothing is wrong so far.
run_pair() { # as attempt
  local dir=$1 program=$2 timer=$3 role=$4 ip=$5 mtu=$6 size=$7 iterations=$8 seconds=$9 options=${10}
  local server_job client_job id side is_stopped=''
  if serves_again "$program" && [ -n "$(runs_of "$options")" ]; then is_stopped=1; fi
  if side_serve "$server" "$seconds" "$port" "$(side_command "$server" "$program" "$timer" "$ip" '' "$mtu" "$size" "$iterations" "$options")"; then
    server_job=$job
    side_start "$client" "$seconds" "$(side_command "$client" "$program" "$timer" "$ip" "$server" "$mtu" "$size" "$iterations" "$options")"
    client_job=$job
    if [ -z "$is_stopped" ]; then
      await_both "$server_job" "$client_job" "$seconds"
    else
      wait_for $((seconds + 10)) one_done "$server_job" "$client_job" || true
      ! job_done "$server_job" || reasons+=("the server ended before its clients")
    fi
    side_stop "$client" "$client_job" || true
  else
    server_job=$job client_job=
    reasons+=("the server did not listen on port $port within 60 s")
  fi
  side_stop "$server" "$server_job" || true
  keep_output "$dir/server" "$server_job"
  keep_output "$dir/client" "$client_job"
  for id in "${guests[@]}"; do guest_alive "$id" || reasons+=("guest $id died"); done
  for side in server client; do
    [ "$side" = client ] || [ -z "$is_stopped" ] || continue
    is_bad_wire "$timer" && lost_last_answer "$dir" "$side" && continue
    judge_output "$side" "$dir" "$program" "$size" "$iterations" "$options"
  done
  [ ${#reasons[@]} = 0 ]
}

# A pingpong that has finished leaves at once. If the answer to the other one's last message is lost then, it is not repeated.
lost_last_answer() { # DIR SIDE
  local other=server
  [ "$2" = client ] || other=client
  [ "$(cat "$1/$other.rc")" = 0 ] && grep -q '^Failed status transport retry counter exceeded' "$1/$2.out"
}

is_bad_wire() { case $1 in on | off) return 1 ;; esac }

wire_is=good
wire() { # KIND    as guest/wire has it, in guest 2
  [ "$wire_is" != "$1" ] || return 0
  wire_is=unknown
  guest_run 2 30 "/share/bin/wire $1" || { reasons+=("guest 2 cannot make its wire $1: $(cat "$job.out")"); return 1; }
  wire_is=$1
}

is_one_way() { # PROGRAM OPTIONS    no packet comes back to the client
  case "$1 $2 " in
    *-bw*' -b '*) return 1 ;;
    *-bw*'-c U'*) return 0 ;;
    *) return 1 ;;
  esac
}

await_both() { # JOB JOB SECONDS    until both have ended; when one has, the other gets only a while
  local grace=10
  wait_for $(($3 + 10)) one_done "$1" "$2" || return 0
  case "$(job_status "$1") $(job_status "$2")" in "none 0" | "0 none") grace=30 ;; esac
  wait_for $grace both_done "$1" "$2" || true
}

one_done() { job_done "$1" || job_done "$2" || some_guest_dead; }
both_done() { { job_done "$1" && job_done "$2"; } || some_guest_dead; }
some_guest_dead() {
  local id
  for id in "${guests[@]}"; do guest_alive "$id" || return 0; done
  return 1
}

keep_output() { # TO JOB    copies output and status; a job that never was has neither
  if [ -n "$2" ]; then
    cp "$2.out" "$1.out" 2> /dev/null || : > "$1.out"
    job_status "$2" > "$1.rc"
  else
    echo "(not started)" > "$1.out"
    echo none > "$1.rc"
  fi
}

latest_snapshot=''
snapshot_before() { # TO    what the last case left, if it went well on a good wire: then nothing is under way, or it is that case's fault
  local id from=$latest_snapshot
  latest_snapshot=''
  [ -n "$from" ] || { snapshot "$1"; return; }
  for id in "${guests[@]}"; do cp "$from.$id.counters" "$1.$id.counters"; done
}

snapshot() { # TO    counters and new kernel messages of every guest: TO.ID.counters, TO.ID.log
  local id
  for id in "${guests[@]}"; do
    if ! guest_run "$id" 30 /share/bin/snapshot; then
      reasons+=("guest $id does not tell its counters")
      return 1
    fi
    sed '/^--$/,$d' "$job.out" > "$1.$id.counters"
    sed '1,/^--$/d' "$job.out" | tee -a "${guest_share[$id]}/kernel.log" > "$1.$id.log"
  done
}

judge_output() { # server|client DIR PROGRAM SIZE ITERATIONS OPTIONS
  local out=$2/$1.out rc
  rc=$(cat "$2/$1.rc")
  case $rc in
    0) ;;
    none) reasons+=("the $1 did not end") ;;
    124 | 137) reasons+=("the $1 was ended by its time-out (status $rc)") ;;
    *) reasons+=("the $1's exit status is $rc") ;;
  esac
  if grep -q 'invalid data' "$out"; then reasons+=("the $1 says: invalid data") corrupt=1; fi
  if grep -q ': bad [0-9]' "$out"; then reasons+=("the $1 says: $(grep -m 1 ': bad [0-9]' "$out")") corrupt=1; fi
  case $3 in
    ucmatose | udaddy | mckey) grep -q '^return status 0' "$out" || reasons+=("the $1 does not say: return status 0") ;;
    rping | java-rping) [ -z "$(runs_of "$6")" ] || grep -q "^$(runs_of "$6") runs" "$out" || reasons+=("the $1 did not run $(runs_of "$6") times") ;;
    rdma-client) grep -q '^rdma_\(client\|server\): end 0' "$out" || reasons+=("the $1 does not say: end 0") ;;
    *-pingpong)
      grep -q "^$(($4 * $5 * 2)) bytes in " "$out" || reasons+=("the $1 does not report $(($4 * $5 * 2)) bytes")
      grep -q "^$5 iters in " "$out" || reasons+=("the $1 does not report $5 iters")
      ;;
    read-lat | atomic-lat) # their server measures nothing
      [ "$1" = server ] || judge_row "$@"
      ;;
    *-bw | *-lat) judge_row "$@" ;;
    integrity)
      [ "$(tail -n 1 "$out")" = "80 steps, 0 bad" ] || reasons+=("the $1 does not end with: 80 steps, 0 bad")
      ;;
  esac
}

judge_row() { # server|client DIR PROGRAM SIZE ITERATIONS OPTIONS    of the table that perftest prints
  local size=$4 messages=$5 qps
  [ "$size" != - ] || size=8
  qps=$(sed -n 's/.*-q \([0-9]*\).*/\1/p' <<< "$6")
  if [ "$messages" = - ]; then messages='[1-9][0-9]*'; else messages=$((messages * ${qps:-1})); fi
  grep -qE "^ $size +$messages +[0-9.]+" "$2/$1.out" || reasons+=("the $1 does not report $messages messages of $size bytes")
}

judge_guests() { # DIR ACK-TIMER UNANSWERED PROGRAM-CLIENT    UNANSWERED is a side that is sent no packet, or empty
  local id changed allowed=$traffic_counters
  [ "$2" = off ] || allowed+='|completer_retry_err'
  # Of unsignaled sends ours asks at each eighth for an acknowledgement, and repeats the last if none has come for 100 us.
  case $4 in *-bw-host) allowed+='|duplicate_request' ;; esac
  if is_bad_wire "$2"; then allowed=".*"; fi
  for id in "${guests[@]}"; do
    changed=$(counter_changes "$1" "$id" | awk -v t="^($allowed)\$" '$1 !~ t || $1 == "icrc_bad" {printf "%s%s %s", s, $1, $2; s = ", "}')
    [ -z "$changed" ] || reasons+=("counters of guest $id changed: $changed")
    case " $changed" in *" icrc_bad "*) corrupt=1 ;; esac
    [ "guest$id" = "$3" ] || counter_changes "$1" "$id" | grep -q '^icrc_checks ' || reasons+=("guest $id has not checked an ICRC")
    if grep -qE 'bad ICRC|rxe_icrc_check.*suppressed' "$1/after.$id.log"; then
      reasons+=("bad ICRC in the kernel log of guest $id") corrupt=1
      sleep 6 # the kernel limits the rate of this message in spans of 5 s; the next case is to have its own
    fi
    if grep -qE 'BUG:|WARNING:|Oops|Call Trace|soft lockup' "$1/after.$id.log"; then
      reasons+=("the kernel of guest $id complains")
    fi
  done
}

counter_changes() { # DIR ID    prints "name +difference" for what changed
  awk 'NR == FNR {before[$1] = $2; next} $2 != before[$1] {printf "%s %+d\n", $1, $2 - before[$1]}' \
    "$1/before.$2.counters" "$1/after.$2.counters"
}

reasons_line() { # all in one line
  local text
  text=$(printf '%s; ' "${reasons[@]}")
  echo "${text%; }"
}

show_attempt() { # DIR    everything that helps to understand a failure
  local side id
  for side in server client; do
    [ -e "$1/$side.out" ] || continue
    echo "    --- $side, exit status $(cat "$1/$side.rc")"
    tail -n 30 "$1/$side.out" | tr -d '\r' | sed 's/^/    /'
  done
  echo "    --- UDP on the host since the start"
  ip netns exec "$netns" cat /proc/net/snmp /proc/net/snmp6 | grep -E '^Udp:|^Udp6.*Errors.*[1-9]' | sed 's/^/    /'
  for id in "${guests[@]}"; do
    if [ -e "$1/after.$id.counters" ]; then
      echo "    --- counters of guest $id that changed"
      counter_changes "$1" "$id" | sed 's/^/    /'
      echo "    --- kernel log of guest $id"
      tail -n 20 "$1/after.$id.log" | sed 's/^/    /'
    else
      echo "    --- console of guest $id"
      tail -n 20 "${guest_share[$id]}/console.log" | tr -d '\r' | sed 's/^/    /'
      echo
    fi
  done
}

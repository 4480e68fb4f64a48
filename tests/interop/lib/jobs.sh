# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by ../run
# Programs on either side, as jobs. A job is a path prefix: JOB.out has its output, JOB.ready says that it listens, JOB.rc its
# exit status, written last. Nothing here waits without a limit.

now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

exec {silence}<> <(:) # nothing ever comes out of it: waiting for that costs no process, as sleep(1) would

wait_for() { # SECONDS COMMAND...    until the command succeeds; status 1 when the time is over
  local deadline=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
  shift
  until "$@"; do
    [ "${EPOCHREALTIME/[.,]/}" -lt "$deadline" ] || return 1
    read -rt 0.03 -u "$silence" || true
  done
}

job_done() { [ -e "$1.rc" ]; }

job_status() { # JOB    prints the exit status, or "none"
  if job_done "$1"; then cat "$1.rc"; else echo none; fi
}

host_number=0
host_env=() # NAME=VALUE and commands for programs on the host
host_start() { # SECONDS COMMAND...    runs it in the namespace; sets job
  local seconds=$1
  shift
  host_number=$((host_number + 1))
  mkdir -p "$work/host"
  job=$work/host/$host_number
  echo "$*" > "$job.cmd"
  (
    status=0
    timeout -k 5 "$seconds" ip netns exec "$netns" nice -n -10 env "${host_env[@]}" "$@" > "$job.out" 2>&1 < /dev/null &
    echo $! > "$job.pid"
    wait $! 2> /dev/null || status=$?
    echo $status > "$job.tmp"
    mv "$job.tmp" "$job.rc"
  ) &
}

host_stop() { # JOB    asks it to end; timeout(1) kills the whole group 5 s later
  kill -TERM "$(cat "$1.pid")" 2> /dev/null || true
  wait_for 10 job_done "$1" || true
}

host_listens() { # PORT
  [ -n "$(ip netns exec "$netns" ss -Hltn "sport = :$1")" ]
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by ../run
# Guests: build, boot, end, and jobs in them by way of the queue that guest/agent serves.

declare -A guest_pid guest_share guest_booted_mtu guest_jobs
guest_number=0
in_doubt= # not empty when the last question to a guest, or the last case, went wrong

guest_check_machine() { # calls skip with a reason if no guest can run here
  local tool
  [ "$(uname -sm)" = "Linux x86_64" ] || skip "the guest needs Linux on x86_64, this is $(uname -sm)"
  [ "$(id -u)" = 0 ] || skip "it needs root, for a network namespace"
  for tool in qemu-system-x86_64 ip ss flock timeout awk; do
    command -v "$tool" > /dev/null || skip "$tool is not installed"
  done
  [ -c /dev/net/tun ] || skip "there is no /dev/net/tun"
  ip netns add "$netns" 2> /dev/null || skip "this root may not make network namespaces"
  ip netns delete "$netns"
}

guest_build() { # calls skip or fail if it cannot; once; again when what it is made of has changed
  local stamp tool
  stamp=$(cat "$here"/guest/{build,init,ack-timer-off.c,late-connect.c} | sha256sum)
  [ "$(cat "$cache/stamp" 2> /dev/null)" != "$stamp" ] || return 0
  for tool in apt-get dpkg-deb cpio depmod ldconfig; do
    command -v "$tool" > /dev/null || skip "the guest is not built yet, and $tool is not installed"
  done
  grep -q '^ID=debian' /etc/os-release || skip "the guest is not built yet, and this is not Debian, whose packages it is built from"
  echo "building the guest in $cache"
  rm -rf "$cache/new"
  if ! timeout -k 10 1200 "$here/guest/build" "$cache/new" > "$cache/build.log" 2>&1; then
    tail -n 20 "$cache/build.log" | sed 's/^/    /'
    fail "the guest could not be built (log above, all of it in $cache/build.log)"
  fi
  mv "$cache"/new/{vmlinuz,initrd.cpio} "$cache/"
  rm -rf "$cache/new"
  echo "$stamp" > "$cache/stamp"
}

guest_prepare() { # CACHE    builds the guest if need be; sets cache and accel
  mkdir -p "$1"
  cache=$(cd "$1" && pwd)
  exec 9> "$cache/lock"
  flock -w 1500 9 || { echo "another build of the guest in $cache does not end"; exit 1; }
  guest_build
  accel=$(guest_accel "$cache")
  exec 9>&-
}

guest_accel() { # DIR    prints the -accel value: KVM where it boots the kernel, which an openable /dev/kvm does not yet mean
  local stamp
  if [ -n "${INTEROP_ACCEL:-}" ]; then echo "$INTEROP_ACCEL"; return; fi
  stamp="$(cat /proc/sys/kernel/random/boot_id) $(qemu-system-x86_64 --version | head -n 1)"
  if [ "$(head -n 1 "$1/accel" 2> /dev/null)" != "$stamp" ]; then
    echo "$stamp" > "$1/accel.tmp"
    if guest_kvm_boots "$1"; then echo kvm; else echo tcg,thread=multi; fi >> "$1/accel.tmp"
    mv "$1/accel.tmp" "$1/accel"
  fi
  tail -n 1 "$1/accel"
}

guest_kvm_boots() { # DIR    without an initrd the kernel soon panics for want of a root device; that is far enough
  [ -w /dev/kvm ] || return 1
  timeout -k 2 15 qemu-system-x86_64 -accel kvm -cpu max -m 512 -nographic -no-reboot -kernel "$1/vmlinuz" \
    -append "console=ttyS0 panic=-1" < /dev/null 2>&1 | grep 'Kernel panic - not syncing: VFS' > /dev/null
}

guest_alive() { # ID
  kill -0 "${guest_pid[$1]:-0}" 2> /dev/null && [ "${guest_pid[$1]:-0}" != 0 ]
}

guest_boot() { # ID MTU    status 1 with one clear line when it does not come up
  local id=$1 mtu=$2 share started
  guest_number=$((guest_number + 1))
  share=$work/guest$id.$guest_number
  mkdir -p "$share/queue"
  cp -r "$here/guest" "$share/bin"
  net_tap "tap$id" "$mtu"
  started=$(now_ms)
  # The outer timeout is only for the case that nothing else ends the guest. Both sides have a better priority than the rest
  # of the machine, as a pause of 70 ms on either is a retry. Ours has the best.
  timeout -k 5 14400 ip netns exec "$netns" nice -n -5 qemu-system-x86_64 -accel "$accel" -cpu max -smp "${INTEROP_SMP:-1}" -m 1024 \
    -nographic -no-reboot -kernel "$cache/vmlinuz" -initrd "$cache/initrd.cpio" \
    -append "console=ttyS0 panic=-1 loglevel=4 rdinit=/init guest=$id mtu=$mtu" \
    -netdev "tap,id=net0,ifname=tap$id,script=no,downscript=no,vhost=off" \
    -device "virtio-net-pci,netdev=net0,mac=52:54:00:00:00:0$id,host_mtu=$mtu" \
    -virtfs "local,path=$share,mount_tag=share,security_model=none" < /dev/null > "$share/console.log" 2>&1 &
  guest_pid[$id]=$! guest_share[$id]=$share guest_booted_mtu[$id]=$mtu guest_jobs[$id]=0
  latest_snapshot=''
  [ "$id" != 2 ] || wire_is=good
  wait_for 120 guest_up_or_dead "$id" || true
  if [ -e "$share/booted" ]; then
    echo "guest $id is up after $((($(now_ms) - started) / 1000)) s (-accel $accel, MTU $mtu)"
    return
  fi
  if guest_alive "$id"; then
    echo "FAIL guest $id did not boot in 120 s; the end of its console:"
  else
    echo "FAIL guest $id ended while booting; the end of its console:"
  fi
  tail -n 20 "$share/console.log" | tr -d '\r' | sed 's/^/    /'
  echo
  guest_end "$id"
  return 1
}

guest_up_or_dead() { [ -e "${guest_share[$1]}/booted" ] || ! guest_alive "$1"; }

guest_ready() { # ID MTU    boots it unless it is up with this MTU and, if that is in doubt, answers
  if guest_alive "$1" && [ "${guest_booted_mtu[$1]}" = "$2" ]; then
    if [ -z "$in_doubt" ] || guest_run "$1" 20 true; then return 0; fi
    echo "guest $1 does not answer"
  fi
  guest_end "$1"
  guest_boot "$1" "$2"
}

guest_end() { # ID
  guest_alive "$1" || return 0
  kill -TERM "${guest_pid[$1]}" 2> /dev/null || true
  wait "${guest_pid[$1]}" 2> /dev/null || true
  unset "guest_pid[$1]"
}

guest_start() { # ID SECONDS COMMAND...    sets job
  local id=$1 seconds=$2
  shift 2
  guest_jobs[$id]=$((guest_jobs[$id] + 1))
  job=${guest_share[$id]}/queue/${guest_jobs[$id]}
  echo "$seconds" > "$job.secs"
  echo "exec $*" > "$job.new"
  mv "$job.new" "$job.cmd"
}

guest_run() { # ID SECONDS COMMAND...    waits; the command's status, or 1; sets job
  local id=$1 seconds=$2
  guest_start "$@"
  wait_for $((seconds + 5)) job_done_or_dead "$job" "$id" || true
  job_done "$job" && [ "$(job_status "$job")" = 0 ]
}

guest_stop() { # ID JOB
  guest_alive "$1" || return 0
  guest_run "$1" 10 "kill -KILL -\$(cat $(guest_path "$2").pid)" || true
  wait_for 5 job_done "$2" || true
}

guest_path() { echo "/share/queue/${1##*/}"; } # JOB    its prefix as the guest sees it

job_done_or_dead() { job_done "$1" || ! guest_alive "$2"; } # JOB ID

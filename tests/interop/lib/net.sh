# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by ../run
# The network: a namespace of this run's own, with a bridge. Host side 192.0.2.1 and fd00:99::1, guest N 192.0.2.N and fd00:99::N.
# Everybody knows the others' Ethernet addresses (52:54:00:00:00:0N), for good: asking for one again, and getting no answer from a
# guest that has no processor for some seconds, loses packets, which are not repeated in most cases.
# The name ends with the process id of `run`, so two runs do not meet, and the remains of a killed run can be recognised.

net_prefix=queuepair-interop-
netns=$net_prefix$$

net_up() {
  net_clean_dead
  ip netns add "$netns"
  ip -n "$netns" link set lo up
  ip -n "$netns" link add br0 address 52:54:00:00:00:01 type bridge mcast_snooping 0
  ip -n "$netns" addr add 192.0.2.1/24 dev br0
  ip -n "$netns" -6 addr add fd00:99::1/64 dev br0 nodad
  ip -n "$netns" link set br0 up
}

net_tap() { # TAP MTU
  ip -n "$netns" link show "$1" > /dev/null 2>&1 || ip -n "$netns" tuntap add dev "$1" mode tap
  ip -n "$netns" link set "$1" mtu "$2" txqueuelen 20000 master br0 up # nothing may be lost on our own wire
  ip -n "$netns" link set br0 mtu "$2"
  ip -n "$netns" neigh replace "192.0.2.${1#tap}" lladdr "52:54:00:00:00:0${1#tap}" dev br0 nud permanent
  ip -n "$netns" -6 neigh replace "fd00:99::${1#tap}" lladdr "52:54:00:00:00:0${1#tap}" dev br0 nud permanent
}

net_delete() { # NAMESPACE    with every process in it
  local pids
  pids=$(ip netns pids "$1" 2> /dev/null) || return 0
  # shellcheck disable=SC2086 # one word per process
  [ -z "$pids" ] || kill -KILL $pids 2> /dev/null || true
  ip netns delete "$1" || true
}

net_clean_dead() { # what killed runs left behind
  local name
  for name in $(ip netns list | awk -v p="$net_prefix" 'index($1, p) == 1 {print $1}'); do
    [ -e "/proc/${name#"$net_prefix"}" ] || net_delete "$name"
  done
}

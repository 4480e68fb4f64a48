# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # sourced by ../run
# The tables of results in docs/interop.md, ours and (--peer guest) the yardstick: a line for each way to run a program, a column for
# each role and IP version.

page=$root/docs/interop.md

page_result() { # RESULT NAME PROGRAM GUEST-MTU ACK-TIMER ROLE IP MTU SIZE ITERATIONS SECONDS OPTIONS
  printf '%s\t' "$1" "${@:3:9}" >> "$work/results"
  printf '%s\n' "${*:12}" >> "$work/results"
}

page_table() {
  guest_run 2 30 'cat /versions' || return 1
  awk '{version[$1] = $2} END {
    print "Linux " version["linux"] ", rdma-core " version["rdma-core"] ", perftest " version["perftest"] "; `-` was not run."}' "$job.out"
  echo
  echo "| program | options | path MTU | bytes | wire | server, IPv4 | server, IPv6 | client, IPv4 | client, IPv6 |"
  echo "|---|---|---|---|---|---|---|---|---|"
  awk -F '\t' '
    function text(value) { return value == "-" ? "" : value }
    {
      if ($4 == "off") wire = "good"
      else if ($4 == "on") wire = "good, ACK timers on"
      else { wire = $4; sub(/[0-9]+$/, " & %", wire) }
      key = "| `" $2 "` | " ($11 == "" ? "" : "`" $11 "`") " | " text($7) " | " text($8) " | " wire " |"
      if (!(key in known)) { known[key] = 1; order[++n] = key }
      result[key, $5 $6] = $1
    }
    END {
      split("server4 server6 client4 client6", columns, " ")
      for (i = 1; i <= n; i++) {
        line = order[i]
        for (c = 1; c <= 4; c++) line = line " " ((order[i], columns[c]) in result ? result[order[i], columns[c]] : "-") " |"
        print line
      }
    }' "$work/results"
}

page_write() { # replaces what stands between the marks of this kind of run
  local page_begin='<!-- results: written by tests/interop/run --page -->' page_end='<!-- end of results -->'
  if [ "$peer" != host ]; then
    page_begin='<!-- yardstick: written by tests/interop/run --peer guest --page -->' page_end='<!-- end of yardstick -->'
  fi
  page_table > "$work/table" || { echo "the page is not written: the guest does not answer" >&2; return 1; }
  awk -v begin="$page_begin" -v end="$page_end" -v table="$work/table" '
    $0 == end { is_inside = 0 }
    !is_inside { print }
    $0 == begin { is_inside = 1; while ((getline line < table) > 0) print line }' "$page" > "$work/page"
  grep -qF "$page_end" "$work/page" || { echo "$page has lost the line $page_end" >&2; return 1; }
  cp "$work/page" "$page"
  echo "written: ${page#"$root"/}"
}

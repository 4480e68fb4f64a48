// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.suites.CaseIndex.CaseEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages that list every case with its state, and the script or the test that holds it. */
final class CasePages {
  private static final String SUITES =
      """
      # Conformance cases

      Generated from `tests.tsv` and the names of scripts by `COMMAND`; do not edit.

      The cases of three public suites: google/rdma-unit-test (GUT), ibverbs-tests (IVT) and \
      the pyverbs tests of
      rdma-core (PYV), described in our own words and run against the default device. A case \
      *passes* if a script of
      `ScriptedCasesTest` bears its name, in memory with packets as objects and as bytes and over \
      UDP, or a test of this
      project asserts the same. It *deviates* if that asserts something else than the suite does, \
      or less, for the reason
      given. Traffic is repeated until every ring has gone round, less often than in the suites. \
      L is the side that
      requests, R the one that responds; the names of states, statuses and access rights are \
      those of the C constants
      without prefix.

      """;
  private static final String PYVERBS =
      """
      # Tests of pyverbs

      Generated from `tests.tsv` and the names of scripts by `COMMAND`; do not edit.

      The tests of pyverbs (rdma-core) that need no particular vendor, described in our own words \
      and run against the default device.
      One *passes* if a script or a test is named for it. It *deviates* if that asserts something \
      else, or less, for the reason given.

      """;

  private CasePages() {}

  static String ofSuites(CaseIndex index, String command) {
    List<String> lines = head(SUITES, command);
    List<String> priorities = List.of("must", "should", "nice");
    lines.add("| state | must | should | nice |");
    lines.add("|---|---|---|---|");
    for (String state : CaseIndex.STATES) {
      List<String> counts = new ArrayList<>(List.of(state));
      for (String priority : priorities) {
        counts.add("" + count(index, state, priority));
      }
      lines.add("| " + String.join(" | ", counts) + " |");
    }
    return page(lines, index, "| case | for | priority | expected | state | test |");
  }

  static String ofPyverbs(CaseIndex index, String command) {
    List<String> lines = head(PYVERBS, command);
    lines.add("| state | tests |");
    lines.add("|---|---|");
    for (String state : CaseIndex.STATES) {
      lines.add("| " + state + " | " + count(index, state, null) + " |");
    }
    return page(lines, index, "| test | verifies | state | here |");
  }

  private static List<String> head(String text, String command) {
    String head = text.replace("COMMAND", command).stripTrailing();
    return new ArrayList<>(List.of(head, ""));
  }

  private static long count(CaseIndex index, String state, String priority) {
    return index.entries().stream()
        .filter(entry -> entry.status().state().equals(state))
        .filter(entry -> priority == null || entry.columns().contains(priority))
        .count();
  }

  private static String page(List<String> lines, CaseIndex index, String heading) {
    Map<String, List<CaseEntry>> sections = new LinkedHashMap<>();
    for (CaseEntry entry : index.entries()) {
      sections.computeIfAbsent(entry.section(), name -> new ArrayList<>()).add(entry);
    }
    sections.forEach(
        (name, entries) -> {
          lines.addAll(List.of("", "## " + name, "", heading));
          lines.add(heading.replaceAll("[^|]+", "---"));
          entries.forEach(entry -> lines.add(row(entry)));
        });
    return String.join("\n", lines) + "\n";
  }

  private static String row(CaseEntry entry) {
    List<String> cells = new ArrayList<>(entry.columns());
    String reason = entry.status().reason();
    cells.add(entry.status().state() + (reason.isEmpty() ? "" : ": " + reason));
    cells.add(String.join(", ", entry.tests()));
    return "| "
        + String.join(" | ", cells.stream().map(CasePages::cell).toList()).stripTrailing()
        + " |";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }
}

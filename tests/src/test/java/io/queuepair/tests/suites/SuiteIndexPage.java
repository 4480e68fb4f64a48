// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.suites.SuiteIndex.CaseState;
import io.queuepair.tests.suites.SuiteIndex.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page that lists every case. */
final class SuiteIndexPage {
  private static final String HEAD =
      """
      # Conformance cases

      Generated from the tags of the tests by `COMMAND`; do not edit.

      The cases of three public suites: google/rdma-unit-test (GUT), ibverbs-tests (IVT) and \
      the pyverbs tests of
      rdma-core (PYV), described in our own words and run against the default device. A case \
      *passes* if a test bears
      its name, in virtual time with packets as objects and as bytes; most also run over UDP. \
      It *deviates* if that test asserts
      something else than the suite does, or less, for the reason given. Traffic is repeated \
      until every ring has gone round, less
      often than in the suites. L is the side that requests, R the one that responds; the names \
      of states, statuses and
      access rights are those of the C constants without prefix.

      """;

  private SuiteIndexPage() {}

  static String of(SuiteIndex suiteIndex, String command) {
    List<String> lines = new ArrayList<>();
    lines.add(HEAD.replace("COMMAND", command).stripTrailing());
    lines.add("");
    addCounts(lines, suiteIndex.entries());
    Map<String, List<Entry>> sections = new LinkedHashMap<>();
    for (Entry entry : suiteIndex.entries()) {
      sections.computeIfAbsent(sectionOf(entry.id()), name -> new ArrayList<>()).add(entry);
    }
    sections.forEach((name, entries) -> addSection(lines, name, entries));
    return String.join("\n", lines) + "\n";
  }

  private static void addCounts(List<String> lines, List<Entry> entries) {
    lines.add("| state | must | should | nice |");
    lines.add("|---|---|---|---|");
    for (CaseState state : CaseState.values()) {
      lines.add(
          "| "
              + state.words()
              + " | "
              + count(entries, state, "must")
              + " | "
              + count(entries, state, "should")
              + " | "
              + count(entries, state, "nice")
              + " |");
    }
  }

  private static long count(List<Entry> entries, CaseState state, String priority) {
    return entries.stream()
        .filter(entry -> entry.verdict().state() == state && entry.priority().equals(priority))
        .count();
  }

  /** The suite and the file of it, such as GUT-rc_test. */
  private static String sectionOf(String id) {
    return id.substring(0, id.indexOf('-', id.indexOf('-') + 1));
  }

  private static void addSection(List<String> lines, String name, List<Entry> entries) {
    lines.add("");
    lines.add("## " + name);
    lines.add("");
    lines.add("| case | for | priority | expected | state |");
    lines.add("|---|---|---|---|---|");
    for (Entry entry : entries) {
      lines.add(
          String.join(
              " | ",
              "| " + entry.id().substring(name.length() + 1),
              entry.qpTypes(),
              entry.priority(),
              cell(entry.expected()),
              cell(state(entry)) + " |"));
    }
  }

  private static String state(Entry entry) {
    String reason = entry.verdict().reason();
    return entry.verdict().state().words() + (reason.isEmpty() ? "" : ": " + reason);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }
}

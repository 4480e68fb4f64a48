// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.suites.PyverbsIndex.PyverbsRow;
import io.queuepair.tests.suites.SuiteIndex.CaseState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page that lists every test of pyverbs. */
final class PyverbsPage {
  private static final String HEAD =
      """
      # Tests of pyverbs

      Generated from the tags of the tests by `COMMAND`; do not edit.

      The tests of pyverbs (rdma-core) that need no particular vendor, described in our own words \
      and run against the default device.
      One *passes* if a test bears its name. It *deviates* if that test asserts something else, or \
      less, for the reason given.

      """;

  private PyverbsPage() {}

  static String of(PyverbsIndex catalogue, String command) {
    List<String> lines = new ArrayList<>();
    lines.add(HEAD.replace("COMMAND", command).stripTrailing());
    lines.add("");
    lines.add("| state | tests |");
    lines.add("|---|---|");
    for (CaseState state : CaseState.values()) {
      long count = catalogue.rows().stream().filter(row -> row.verdict().state() == state).count();
      lines.add("| " + state.words() + " | " + count + " |");
    }
    Map<String, List<PyverbsRow>> sections = new LinkedHashMap<>();
    for (PyverbsRow row : catalogue.rows()) {
      sections.computeIfAbsent(row.file(), name -> new ArrayList<>()).add(row);
    }
    sections.forEach((file, rows) -> addSection(lines, file, rows));
    return String.join("\n", lines) + "\n";
  }

  private static void addSection(List<String> lines, String file, List<PyverbsRow> rows) {
    lines.add("");
    lines.add("## " + file);
    lines.add("");
    lines.add("| test | verifies | state |");
    lines.add("|---|---|---|");
    for (PyverbsRow row : rows) {
      String reason = row.verdict().reason();
      String state = row.verdict().state().words() + (reason.isEmpty() ? "" : ": " + reason);
      lines.add("| " + row.name() + " | " + cell(row.verifies()) + " | " + cell(state) + " |");
    }
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }
}

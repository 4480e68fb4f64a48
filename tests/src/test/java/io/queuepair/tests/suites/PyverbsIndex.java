// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.TsvTable;
import io.queuepair.tests.suites.SuiteIndex.CaseState;
import io.queuepair.tests.suites.SuiteIndex.CaseStatus;
import io.queuepair.tests.support.SourceTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All tests of pyverbs that need no particular vendor, and what became of each. */
final class PyverbsIndex {
  private static final Pattern TAG =
      Pattern.compile("@Tag\\(\\s*\"(test_\\w+\\.\\w+\\.test_\\w+)\"");

  /** What the names of the cases leave out. */
  private static final Pattern PREFIX = Pattern.compile("^test_(?:qp_ex_)?");

  private final List<PyverbsRow> rows = new ArrayList<>();
  private final Set<String> tested = new TreeSet<>();

  /**
   * One test.
   *
   * @param file without ending
   * @param name of class and test
   */
  record PyverbsRow(String file, String name, String verifies, CaseStatus verdict) {
    /** What a tag calls it. */
    String id() {
      return file + "." + name;
    }

    /** Whether a test or a reason is missing. */
    boolean isOpen() {
      return verdict.state() == CaseState.NOT_YET && verdict.reason().isEmpty();
    }
  }

  PyverbsIndex() {
    for (Path file : SourceTree.files(SourceTree.root().resolve("tests/src/test/java"), ".java")) {
      Matcher tag = TAG.matcher(String.join("\n", SourceTree.lines(file)));
      while (tag.find()) {
        tested.add(tag.group(1));
      }
    }
    List<String[]> table = TsvTable.rows(PyverbsIndex.class, "pyverbs.tsv");
    Set<String> cases = new SuiteIndex().tested();
    for (String[] row : table) {
      if (cases.contains("PYV-" + withoutTest(row[0]) + "-" + row[1] + "." + withoutTest(row[2]))) {
        tested.add(row[0] + "." + row[1] + "." + row[2]);
      }
    }
    Map<String, CaseStatus> exceptions = exceptions();
    for (String[] row : table) {
      String name = row[1] + "." + row[2];
      String id = row[0] + "." + name;
      CaseState usual = tested.contains(id) ? CaseState.PASSING : CaseState.NOT_YET;
      CaseStatus verdict = exceptions.getOrDefault(id, new CaseStatus(usual, ""));
      rows.add(new PyverbsRow(row[0], name, row[4], verdict));
    }
  }

  /** Part of the name of a case of {@link SuiteIndex}. */
  private static String withoutTest(String name) {
    return PREFIX.matcher(name).replaceFirst("");
  }

  /** What the file of exceptions says, by test. */
  static Map<String, CaseStatus> exceptions() {
    Map<String, CaseStatus> exceptions = new LinkedHashMap<>();
    for (String[] row : TsvTable.rows(PyverbsIndex.class, "pyverbs-exceptions.tsv")) {
      String id = row[0] + "." + row[1] + "." + row[2];
      exceptions.put(id, new CaseStatus(CaseState.of(row[3]), row[4]));
    }
    return exceptions;
  }

  /** In the order of the file. */
  List<PyverbsRow> rows() {
    return rows;
  }

  /** Those that some test names. */
  Set<String> tested() {
    return tested;
  }
}

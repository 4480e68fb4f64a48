// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.TsvTable;
import io.queuepair.tests.support.SourceTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The cases of other suites, and what became of each: the scripts that bear its name, the tests
 * here that {@code tests.tsv} names for it, or a reason.
 */
final class CaseIndex {
  /** Part of the names of pyverbs that the names of the cases leave out. */
  private static final Pattern PREFIX = Pattern.compile("^test_(?:qp_ex_)?");

  /** Scripts and tests by case, of all suites. */
  private static final Map<String, Set<String>> TESTS = tests();

  private final List<CaseEntry> entries = new ArrayList<>();
  private final Map<String, CaseStatus> exceptions = new LinkedHashMap<>();

  /**
   * One case.
   *
   * @param section the suite and the file of it
   * @param columns what else the page says of it
   * @param isOptional whether it may be without a test and without a reason
   */
  record CaseEntry(
      String id,
      String section,
      List<String> columns,
      boolean isOptional,
      CaseStatus status,
      Set<String> tests) {
    boolean isOpen() {
      return status.state.equals("not yet") && status.reason.isEmpty() && !isOptional;
    }
  }

  /** Result, and why, if that needs a reason. */
  record CaseStatus(String state, String reason) {}

  /** As the pages count them. */
  static final List<String> STATES = List.of("passing", "deviating", "not applicable", "not yet");

  /** The cases of rdma-unit-test, ibverbs-tests, and pyverbs under shorter names. */
  static CaseIndex ofSuites() {
    CaseIndex index = new CaseIndex();
    for (String[] row : TsvTable.rows(CaseIndex.class, "exceptions.tsv")) {
      index.exceptions.put(row[0], new CaseStatus(row[1], row[2]));
    }
    for (String[] row : TsvTable.rows(CaseIndex.class, "cases.tsv")) {
      String section = row[0].substring(0, row[0].indexOf('-', row[0].indexOf('-') + 1));
      String name = row[0].substring(section.length() + 1);
      boolean isOptional = row[3].equals("nice") || List.of(row[1].split(",")).contains("cm");
      Set<String> tests = TESTS.getOrDefault(row[0], Set.of());
      index.add(row[0], section, List.of(name, row[2], row[3], row[4]), isOptional, tests);
    }
    return index;
  }

  /** All tests of pyverbs that need no particular vendor. */
  static CaseIndex ofPyverbs() {
    CaseIndex index = new CaseIndex();
    for (String[] row : TsvTable.rows(CaseIndex.class, "pyverbs-exceptions.tsv")) {
      index.exceptions.put(row[0] + "." + row[1] + "." + row[2], new CaseStatus(row[3], row[4]));
    }
    for (String[] row : TsvTable.rows(CaseIndex.class, "pyverbs.tsv")) {
      String name = row[1] + "." + row[2];
      String shorter = "PYV-" + shortened(row[0]) + "-" + row[1] + "." + shortened(row[2]);
      Set<String> tests = new TreeSet<>(TESTS.getOrDefault(row[0] + "." + name, Set.of()));
      tests.addAll(TESTS.getOrDefault(shorter, Set.of()));
      index.add(row[0] + "." + name, row[0], List.of(name, row[4]), false, tests);
    }
    return index;
  }

  private static String shortened(String name) {
    return PREFIX.matcher(name).replaceFirst("");
  }

  private void add(
      String id, String section, List<String> columns, boolean isOptional, Set<String> tests) {
    CaseStatus usual = new CaseStatus(tests.isEmpty() ? "not yet" : "passing", "");
    CaseStatus status = exceptions.getOrDefault(id, usual);
    entries.add(new CaseEntry(id, section, columns, isOptional, status, tests));
  }

  private static Map<String, Set<String>> tests() {
    Map<String, Set<String>> tests = new TreeMap<>();
    for (String file : ScriptedCasesTest.FILES) {
      Script.of(CaseIndex.class, file)
          .flatMap(script -> List.of(script.names().split(" ")).stream())
          .forEach(id -> tests.computeIfAbsent(id, any -> new TreeSet<>()).add(file));
    }
    for (String[] row : TsvTable.rows(CaseIndex.class, "tests.tsv")) {
      tests.computeIfAbsent(row[0], any -> new TreeSet<>()).addAll(List.of(row[1].split(", ")));
    }
    return tests;
  }

  /** Cases with a script or a test, of all suites. */
  static Set<String> tested() {
    return TESTS.keySet();
  }

  /** The tests that are named and that no module has, as Class.method. */
  static List<String> missingTests() {
    Map<String, String> sources = new TreeMap<>();
    for (Path file : SourceTree.files(SourceTree.root(), "Test.java")) {
      String name = file.getFileName().toString().replace(".java", "");
      sources.merge(name, String.join("\n", SourceTree.lines(file)), String::concat);
    }
    return TESTS.values().stream()
        .flatMap(Set::stream)
        .filter(test -> !ScriptedCasesTest.FILES.contains(test))
        .filter(
            test -> {
              String[] names = test.split("\\.", 2);
              return !sources.getOrDefault(names[0], "").contains("void " + names[1] + "(");
            })
        .distinct()
        .toList();
  }

  /** In the order of the file. */
  List<CaseEntry> entries() {
    return entries;
  }

  /** Entries of the file of exceptions, by case. */
  Map<String, CaseStatus> exceptions() {
    return exceptions;
  }
}

package io.queuepair.tests.cases;

import io.queuepair.tests.architecture.SourceTree;
import io.queuepair.tests.cases.Catalogue.State;
import io.queuepair.tests.cases.Catalogue.Verdict;
import io.queuepair.tests.conformance.Table;
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
final class PyverbsCatalogue {
  private static final Pattern TAG =
      Pattern.compile("@Tag\\(\\s*\"(test_\\w+\\.\\w+\\.test_\\w+)\"");

  /** What the names of the cases leave out. */
  private static final Pattern PREFIX = Pattern.compile("^test_(?:qp_ex_)?");

  private final List<Row> rows = new ArrayList<>();
  private final Set<String> tested = new TreeSet<>();

  /**
   * One test.
   *
   * @param file without ending
   * @param name of class and test
   */
  record Row(String file, String name, String verifies, Verdict verdict) {
    /** What a tag calls it. */
    String id() {
      return file + "." + name;
    }

    /** Whether a test or a reason is missing. */
    boolean isOpen() {
      return verdict.state() == State.NOT_YET && verdict.reason().isEmpty();
    }
  }

  PyverbsCatalogue() {
    for (Path file : SourceTree.files(SourceTree.root().resolve("tests/src/test/java"), ".java")) {
      Matcher tag = TAG.matcher(String.join("\n", SourceTree.lines(file)));
      while (tag.find()) {
        tested.add(tag.group(1));
      }
    }
    List<String[]> table = Table.rows(PyverbsCatalogue.class, "pyverbs.tsv");
    Set<String> cases = new Catalogue().tested();
    for (String[] row : table) {
      if (cases.contains("PYV-" + withoutTest(row[0]) + "-" + row[1] + "." + withoutTest(row[2]))) {
        tested.add(row[0] + "." + row[1] + "." + row[2]);
      }
    }
    Map<String, Verdict> exceptions = exceptions();
    for (String[] row : table) {
      String name = row[1] + "." + row[2];
      String id = row[0] + "." + name;
      State usual = tested.contains(id) ? State.PASSING : State.NOT_YET;
      Verdict verdict = exceptions.getOrDefault(id, new Verdict(usual, ""));
      rows.add(new Row(row[0], name, row[4], verdict));
    }
  }

  /** Part of the name of a case of {@link Catalogue}. */
  private static String withoutTest(String name) {
    return PREFIX.matcher(name).replaceFirst("");
  }

  /** What the file of exceptions says, by test. */
  static Map<String, Verdict> exceptions() {
    Map<String, Verdict> exceptions = new LinkedHashMap<>();
    for (String[] row : Table.rows(PyverbsCatalogue.class, "pyverbs-exceptions.tsv")) {
      String id = row[0] + "." + row[1] + "." + row[2];
      exceptions.put(id, new Verdict(State.of(row[3]), row[4]));
    }
    return exceptions;
  }

  /** In the order of the file. */
  List<Row> rows() {
    return rows;
  }

  /** Those that some test names. */
  Set<String> tested() {
    return tested;
  }
}

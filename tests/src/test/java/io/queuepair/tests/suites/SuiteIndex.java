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
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All cases, and what became of each. */
final class SuiteIndex {
  /** Areas of which every case that is a must or a should has a test or a reason. */
  private static final Set<String> LATER_AREAS = Set.of("cm");

  private static final Pattern TAG = Pattern.compile("@Tag\\(\"((?:GUT|IVT|PYV)-[^\"]+)\"\\)");

  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> tested = new TreeSet<>();

  /**
   * One case.
   *
   * @param areas what it is about, separated by commas
   * @param qpTypes types of queue pairs it is for, or a dash
   * @param priority must, should or nice
   */
  record Entry(
      String id,
      String areas,
      String qpTypes,
      String priority,
      String expected,
      CaseStatus verdict) {
    /** Whether a test or a reason is missing. */
    boolean isOpen() {
      return verdict.state() == CaseState.NOT_YET
          && verdict.reason().isEmpty()
          && !priority.equals("nice")
          && Set.of(areas.split(",")).stream().noneMatch(LATER_AREAS::contains);
    }
  }

  /** What became of it, and why, if that needs a reason. */
  record CaseStatus(CaseState state, String reason) {}

  enum CaseState {
    PASSING("passing"),
    DEVIATING("deviating"),
    NOT_APPLICABLE("not applicable"),
    NOT_YET("not yet");

    private final String words;

    CaseState(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }

    static CaseState of(String words) {
      for (CaseState state : values()) {
        if (state.words.equals(words)) {
          return state;
        }
      }
      throw new IllegalArgumentException(words + " is no state of a case");
    }
  }

  SuiteIndex() {
    Tables.rows().forEach(row -> tested.add(row.id()));
    for (Path file : SourceTree.files(SourceTree.root().resolve("tests/src/test/java"), ".java")) {
      Matcher tag = TAG.matcher(String.join("\n", SourceTree.lines(file)));
      while (tag.find()) {
        tested.add(tag.group(1));
      }
    }
    Map<String, CaseStatus> exceptions = exceptions();
    for (String[] row : TsvTable.rows(SuiteIndex.class, "cases.tsv")) {
      CaseState usual = tested.contains(row[0]) ? CaseState.PASSING : CaseState.NOT_YET;
      CaseStatus verdict = exceptions.getOrDefault(row[0], new CaseStatus(usual, ""));
      entries.add(new Entry(row[0], row[1], row[2], row[3], row[4], verdict));
    }
  }

  /** What the file of exceptions says, by case. */
  static Map<String, CaseStatus> exceptions() {
    Map<String, CaseStatus> exceptions = new LinkedHashMap<>();
    for (String[] row : TsvTable.rows(SuiteIndex.class, "exceptions.tsv")) {
      exceptions.put(row[0], new CaseStatus(CaseState.of(row[1]), row[2]));
    }
    return exceptions;
  }

  /** In the order of the file. */
  List<Entry> entries() {
    return entries;
  }

  /** The cases that some test names. */
  Set<String> tested() {
    return tested;
  }
}

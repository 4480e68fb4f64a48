// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The findings: kept for queries, and given to a listener. */
final class FindingLog {
  /** Reports kept; a program that goes wrong in a loop says nothing new. */
  private static final int MAX_REPORTS = 1000;

  private final Consumer<SanitizerFinding> listener;
  private final List<SanitizerFinding> found = new ArrayList<>();

  FindingLog(Consumer<SanitizerFinding> listener) {
    this.listener = listener;
  }

  void add(SanitizerFindingKind kind, String what, CallSite where) {
    SanitizerFinding finding = new SanitizerFinding(kind, what, where.toString());
    if (found.size() < MAX_REPORTS) {
      found.add(finding);
      listener.accept(finding);
    }
  }

  List<SanitizerFinding> found() {
    return List.copyOf(found);
  }
}

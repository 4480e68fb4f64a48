// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps the findings of the sanitizer and passes each to a listener. */
final class FindingLog {
  /** Maximum number of findings; a program in a loop only repeats itself. */
  private static final int MAX_REPORTS = 1000;

  private final Consumer<SanitizerFinding> findingListener;
  private final List<SanitizerFinding> findings = new ArrayList<>();

  FindingLog(Consumer<SanitizerFinding> findingListener) {
    this.findingListener = findingListener;
  }

  void add(SanitizerFindingKind kind, String what, CallSite callSite) {
    SanitizerFinding finding = new SanitizerFinding(kind, what, callSite.toString());
    if (findings.size() < MAX_REPORTS) {
      findings.add(finding);
      findingListener.accept(finding);
    }
  }

  List<SanitizerFinding> found() {
    return List.copyOf(findings);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.sanitizer;

import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The findings: kept for queries, and given to a listener. */
final class FindingLog {
  private static final Logger LOG = LoggerFactory.getLogger(FindingLog.class);

  /** Reports kept; a program that goes wrong in a loop says nothing new. */
  private static final int MAX_REPORTS = 1000;

  private final Consumer<SanitizerFinding> listener;
  private final List<SanitizerFinding> found = new ArrayList<>();

  FindingLog(Consumer<SanitizerFinding> listener) {
    this.listener = listener;
  }

  /** The usual listener. */
  static void warn(SanitizerFinding finding) {
    LOG.warn("{}", finding);
  }

  void add(SanitizerFindingKind kind, String what, CallSite where) {
    SanitizerFinding finding = new SanitizerFinding(kind, what, where.toString());
    if (found.size() < MAX_REPORTS) {
      listener.accept(finding);
      found.add(finding);
    }
  }

  List<SanitizerFinding> found() {
    return List.copyOf(found);
  }
}

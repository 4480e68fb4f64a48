package io.queuepair.emulator.sanitizer;

import io.queuepair.emulator.profile.Misuse;
import io.queuepair.emulator.profile.MisuseKind;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was found: kept for those who ask, and in the log at WARN. */
final class Reports {
  private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

  /** Reports kept; a program that goes wrong in a loop says nothing new. */
  private static final int MAX_REPORTS = 1000;

  private final List<Misuse> found = new ArrayList<>();

  void add(MisuseKind kind, String what, Place where) {
    Misuse misuse = new Misuse(kind, what, where.toString());
    if (found.size() < MAX_REPORTS) {
      LOG.warn("{}", misuse);
      found.add(misuse);
    }
  }

  List<Misuse> found() {
    return List.copyOf(found);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Detects a loop of polls that can never find anything in virtual time. */
final class EmptyPollLimit {
  private final long limit;
  private final LivelockDetector livelockDetector;

  /** Polls in a row that found nothing. */
  private long empty;

  /** The last ones of them, between which the network did nothing. */
  private long idle;

  /** Events that the network had run at the last of them. */
  private long eventsRun;

  /**
   * Nothing has been polled yet.
   *
   * @param limit how many polls in a row may find nothing
   */
  EmptyPollLimit(long limit, Scheduler scheduler) {
    this.limit = limit;
    livelockDetector = new LivelockDetector(scheduler);
  }

  void foundSomething() {
    empty = 0;
    idle = 0;
    livelockDetector.restart();
  }

  /**
   * A poll found nothing.
   *
   * @param eventsRunNow events that the network has run so far
   * @param isIdle whether there is no event to come
   * @return why it is of no use to poll again; empty as long as it may be
   */
  Optional<String> foundNothing(long eventsRunNow, boolean isIdle) {
    empty++;
    idle = eventsRunNow == eventsRun ? idle + 1 : 0;
    eventsRun = eventsRunNow;
    String reason = empty < limit ? null : reason(isIdle);
    if (reason == null) {
      return Optional.empty();
    }
    String polls = "the last " + empty + " polls found nothing, and ";
    foundSomething();
    return Optional.of(polls + reason);
  }

  private @Nullable String reason(boolean isIdle) {
    if (idle >= limit) {
      return isIdle ? "the network is idle" : "polls do not run the network";
    }
    return idle == 0 && livelockDetector.isExhausted() ? LivelockDetector.REASON : null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.List;

/**
 * Detects that the only activity in virtual time is RNR retries with RNR_RETRY 7. The waiting
 * thread is the only one that could post the missing receive, so they would never end.
 */
public final class LivelockDetector {
  /** Reason given for such a network. */
  public static final String REASON = "packets are only sent to be refused again";

  /** Looking is not free. */
  private static final int EVENTS_BETWEEN_LOOKS = 1024;

  /** So long must nothing have been achieved: a fault plan may yet take effect before. */
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final Scheduler scheduler;
  private int events;
  private long progress = -1;
  private long sinceNanos;

  /**
   * Nothing has been noticed yet.
   *
   * @param scheduler of the network
   */
  public LivelockDetector(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Forgets what was noticed: something has been achieved. */
  public void restart() {
    events = 0;
    progress = -1;
  }

  /**
   * Looks now and then, if called after each event.
   *
   * @return whether waiting on is of no use
   */
  public boolean isExhausted() {
    events++;
    return events % EVENTS_BETWEEN_LOOKS == 0 && look();
  }

  private boolean look() {
    List<BlockedWorkReporter> reporters = scheduler.blockedWork().reporters();
    long now = reporters.stream().mapToLong(BlockedWorkReporter::progressCount).sum();
    if (now != progress || reporters.stream().anyMatch(BlockedWorkReporter::hasPendingProgress)) {
      progress = now;
      sinceNanos = scheduler.nowNanos();
      return false;
    }
    return scheduler.nowNanos() - sinceNanos >= QUIET_NANOS;
  }
}

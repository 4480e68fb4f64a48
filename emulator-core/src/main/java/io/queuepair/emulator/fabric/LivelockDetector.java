// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.List;

/**
 * Detects that the only activity in virtual time is RNR retries with RNR_RETRY 7. They would never
 * end, as only the waiting thread could post the missing receive.
 */
public final class LivelockDetector {
  /** Reason for the failure of a wait in such a network. */
  public static final String REASON = "packets are only sent to be refused again";

  /** Number of events between two checks, as a check costs time. */
  private static final int EVENTS_BETWEEN_LOOKS = 1024;

  /** Virtual time without progress before a wait fails, as a fault plan may take effect late. */
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final Scheduler scheduler;
  private int events;
  private long progress = -1;
  private long sinceNanos;

  /**
   * Creates a detector.
   *
   * @param scheduler scheduler of the network
   */
  public LivelockDetector(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Starts again, as there was progress. */
  public void restart() {
    events = 0;
    progress = -1;
  }

  /**
   * Checks after every 1024th event; called after each event.
   *
   * @return whether to wait any longer is of no use
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

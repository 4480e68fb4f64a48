package io.queuepair.emulator.fabric;

import java.util.List;

/**
 * Notices that a network is busy and gets nowhere: RNR_RETRY 7 asks a receiver again and again. One
 * that waits in simulated time is the only one who could post a receive, so that would never end.
 */
public final class Patience {
  /** What is said of such a network. */
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
  public Patience(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Begins anew. */
  void restart() {
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
    List<Scheduler.Witness> witnesses = scheduler.witnesses();
    long now = witnesses.stream().mapToLong(Scheduler.Witness::progress).sum();
    if (now != progress || witnesses.stream().anyMatch(Scheduler.Witness::mayProgress)) {
      progress = now;
      sinceNanos = scheduler.nowNanos();
      return false;
    }
    return scheduler.nowNanos() - sinceNanos >= QUIET_NANOS;
  }
}

package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting for something that may never come: first busily, then with pauses, then no more. */
final class Patience {
  private static final int SPINS = 300;
  private static final long PAUSE_NANOS = 20_000;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private int spins;
  private long sinceNanos;

  /** Something has come. */
  void renew() {
    spins = 0;
  }

  /**
   * Waits a little.
   *
   * @throws CommandFailure if nothing has come for too long
   */
  void pause(String what) {
    spins++;
    if (spins < SPINS) {
      Thread.onSpinWait();
      return;
    }
    long nowNanos = System.nanoTime();
    if (spins == SPINS) {
      sinceNanos = nowNanos;
    }
    if (nowNanos - sinceNanos > LONGEST.toNanos()) {
      throw new CommandFailure(
          "Did not get a message for " + LONGEST.toSeconds() + " seconds: " + what);
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}

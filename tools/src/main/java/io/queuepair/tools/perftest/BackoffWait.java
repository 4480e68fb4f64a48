// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting for something that may never come: first busily, then with pauses, then no more. */
final class BackoffWait implements CompletionWait {
  private static final int SPINS = 300;
  private static final long PAUSE_NANOS = 20_000;
  static final Duration LONGEST = Duration.ofSeconds(60);

  private int spins;
  private long sinceNanos;

  @Override
  public void renew() {
    spins = 0;
  }

  @Override
  public void pause(String what) {
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
      throw tooLong(what);
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  static CommandFailure tooLong(String what) {
    return new CommandFailure(
        "Did not get a message for " + LONGEST.toSeconds() + " seconds: " + what);
  }
}

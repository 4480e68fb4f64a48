// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Decides whether a thread spins before it blocks. A wait is expected to be as short as the
 * previous one. While waits are long, every 16th spins nevertheless, as two threads that wait for
 * each other may be slow only because both block. With a single processor no thread spins. Callers
 * let one thread spin at a time.
 */
public final class AdaptiveSpin {
  /** Longest short wait: the cost of blocking and waking, so that a wrong guess costs double. */
  static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** Number of long waits of which one spins. */
  static final int WAITS_PER_TRY = 16;

  private final LongSupplier clock;
  private final boolean canOthersRun;
  private final SpinYield spinYield = new SpinYield();
  private volatile boolean wasShort;
  private int longWaits;

  /** Creates a policy with the system clock and the processors of this machine. */
  public AdaptiveSpin() {
    this(System::nanoTime, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Creates a policy for any machine.
   *
   * @param clock clock in nanoseconds
   * @param processors number of threads that can run at once
   */
  public AdaptiveSpin(LongSupplier clock, int processors) {
    this.clock = clock;
    this.canOthersRun = processors > 1;
  }

  /**
   * Decides at the beginning of a wait whether to spin.
   *
   * @return true if the wait is likely to be short, or if it is the one of 16 long waits that spins
   */
  public boolean areWorthSpinning() {
    return canOthersRun && (wasShort || isTimeToTry());
  }

  private boolean isTimeToTry() {
    longWaits = (longWaits + 1) % WAITS_PER_TRY;
    return longWaits == 0;
  }

  /**
   * Spins for at most as long as a short wait lasts.
   *
   * @param isOver checks whether the wait is over
   * @param nanos maximum duration in nanoseconds
   * @return whether the wait is over
   */
  public boolean spin(BooleanSupplier isOver, long nanos) {
    long patienceNanos = Math.min(nanos, LONGEST_NANOS);
    long beganNanos = clock.getAsLong();
    do {
      if (isOver.getAsBoolean()) {
        wasShort = true;
        return true;
      }
      spinYield.looked(false);
      Thread.onSpinWait();
    } while (clock.getAsLong() - beganNanos < patienceNanos);
    wasShort = false;
    return false;
  }

  /**
   * Records a sleep of a thread whose wait was not over.
   *
   * @param nanos duration of the sleep in nanoseconds
   */
  public void slept(long nanos) {
    wasShort = nanos < LONGEST_NANOS;
  }
}

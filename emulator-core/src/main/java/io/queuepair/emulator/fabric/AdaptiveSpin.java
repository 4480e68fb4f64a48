// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Spins before a thread blocks, as long as waits are short. A wait is predicted to be as short as
 * the previous one. While waits are long, every 16th spins nevertheless, as two threads that wait
 * for each other may be slow only because both block. With a single processor no thread spins. One
 * thread spins at a time.
 */
public final class AdaptiveSpin {
  /**
   * How long a wait lasts at most that is called short: about what it costs to sleep instead, so
   * that a wrong guess doubles that.
   */
  static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** One out of so many waits is tried while they are long. */
  static final int WAITS_PER_TRY = 16;

  private final LongSupplier clock;
  private final boolean canOthersRun;
  private final SpinYield spinYield = new SpinYield();
  private volatile boolean wasShort;
  private int longWaits;

  /** No thread has waited yet. */
  public AdaptiveSpin() {
    this(System::nanoTime, Runtime.getRuntime().availableProcessors());
  }

  /**
   * No thread has waited yet, on any machine.
   *
   * @param clock in nanoseconds
   * @param processors how many threads may run at once
   */
  public AdaptiveSpin(LongSupplier clock, int processors) {
    this.clock = clock;
    this.canOthersRun = processors > 1;
  }

  /**
   * A wait begins.
   *
   * @return whether it is likely to be short, or is to be tried
   */
  public boolean areWorthSpinning() {
    return canOthersRun && (wasShort || isTimeToTry());
  }

  private boolean isTimeToTry() {
    longWaits = (longWaits + 1) % WAITS_PER_TRY;
    return longWaits == 0;
  }

  /**
   * Spins for as long as a short wait lasts.
   *
   * @param isOver looks whether the wait is over
   * @param nanos how long it may last at most
   * @return whether it is over
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
   * The thread slept, as the wait was not over.
   *
   * @param nanos how long
   */
  public void slept(long nanos) {
    wasShort = nanos < LONGEST_NANOS;
  }
}

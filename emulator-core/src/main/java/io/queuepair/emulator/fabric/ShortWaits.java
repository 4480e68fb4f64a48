package io.queuepair.emulator.fabric;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Spins before a thread sleeps, as long as its waits are short: to fall asleep and to be woken
 * takes longer than many a packet. A wait is taken to be as short as the one before; now and then a
 * thread whose waits are long tries whether that still holds, as two that wait for each other are
 * slow only because both sleep. With a single processor nobody spins. For one thread at a time.
 */
public final class ShortWaits {
  /**
   * How long a wait lasts at most that is called short: about what it costs to sleep instead, so
   * that a wrong guess doubles that.
   */
  static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** One out of so many long waits begins with a try. */
  static final int WAITS_PER_TRY = 16;

  private final LongSupplier clock;
  private final boolean mayOthersRun;
  private final SpinCourtesy courtesy = new SpinCourtesy();
  private long beganNanos;
  private boolean wasShort;
  private int longWaits;

  /** Nobody has waited yet. */
  public ShortWaits() {
    this(System::nanoTime, Runtime.getRuntime().availableProcessors());
  }

  /** For tests. */
  ShortWaits(LongSupplier clock, int processors) {
    this.clock = clock;
    this.mayOthersRun = processors > 1;
  }

  /**
   * A wait begins, maybe by spinning.
   *
   * @param isOver looks whether it is over
   * @param nanos how long it may last at most
   * @return whether it is over; if not, the thread is to sleep, and to say when it {@link #woke}
   */
  public boolean spin(BooleanSupplier isOver, long nanos) {
    beganNanos = clock.getAsLong();
    if (!mayOthersRun || !(wasShort || isTimeToTry())) {
      return false;
    }
    long patienceNanos = Math.min(nanos, LONGEST_NANOS);
    do {
      if (isOver.getAsBoolean()) {
        wasShort = true;
        return true;
      }
      courtesy.looked(false);
      Thread.onSpinWait();
    } while (clock.getAsLong() - beganNanos < patienceNanos);
    return false;
  }

  private boolean isTimeToTry() {
    longWaits = (longWaits + 1) % WAITS_PER_TRY;
    return longWaits == 0;
  }

  /** The wait is over that the thread has slept for. */
  public void woke() {
    wasShort = clock.getAsLong() - beganNanos < LONGEST_NANOS;
  }
}

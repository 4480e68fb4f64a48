// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** When a fault of a {@link FaultPlanBuilder} applies, counted from the start of the plan. */
public final class FaultWindow {
  private static final FaultWindow ALWAYS = new FaultWindow(Condition.During.ALWAYS);

  private final Condition.During during;

  private FaultWindow(Condition.During during) {
    this.during = during;
  }

  /** {@return from the beginning to the end} */
  public static FaultWindow always() {
    return ALWAYS;
  }

  /**
   * From a time on.
   *
   * @param at the time, 0 to a hundred days
   * @return that time and everything after it
   */
  public static FaultWindow from(Duration at) {
    return new FaultWindow(new Condition.During(TimeUnit.NANOSECONDS.convert(at), 0));
  }

  /**
   * A part of the time.
   *
   * @param at when it begins, 0 to a hundred days
   * @param length how long it lasts, 1 ns to a hundred days
   * @return that part
   * @throws IllegalArgumentException if it has no length
   */
  public static FaultWindow during(Duration at, Duration length) {
    if (length.isZero() || length.isNegative()) {
      throw new IllegalArgumentException(length + " is not more than zero");
    }
    return new FaultWindow(
        new Condition.During(
            TimeUnit.NANOSECONDS.convert(at), TimeUnit.NANOSECONDS.convert(length)));
  }

  Condition.During during() {
    return during;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FaultWindow that && during.equals(that.during);
  }

  @Override
  public int hashCode() {
    return during.hashCode();
  }

  /** As a plan says it: {@code at 1ms for 5us}. */
  @Override
  public String toString() {
    return during.toString();
  }
}

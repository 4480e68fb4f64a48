// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.CounterDescription;
import java.util.Arrays;

/** The values of an application's counters. */
public final class CounterSet {
  /** How many there are. */
  public static final int SIZE = 1024;

  private final long[] values = new long[SIZE];

  /** The first ones. */
  public long[] first(int count) {
    return Arrays.copyOf(values, count);
  }

  /** One counter, and what it counts. */
  public record CounterBinding(CounterSet counters, int index, CounterDescription description) {
    /** Counts a frame. */
    void count(int bytes) {
      counters.values[index] +=
          switch (description) {
            case PACKETS -> 1;
            case BYTES -> bytes;
          };
    }
  }
}

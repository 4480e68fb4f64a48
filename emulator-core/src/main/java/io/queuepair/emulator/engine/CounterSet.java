// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.CounterDescription;
import java.util.Arrays;

/** Values of the counters that an application has attached to flows. */
public final class CounterSet {
  public static final int SIZE = 1024;

  private final long[] values = new long[SIZE];

  public long[] first(int count) {
    return Arrays.copyOf(values, count);
  }

  public record CounterBinding(CounterSet counters, int index, CounterDescription description) {
    void count(int bytes) {
      counters.values[index] +=
          switch (description) {
            case PACKETS -> 1;
            case BYTES -> bytes;
          };
    }
  }
}

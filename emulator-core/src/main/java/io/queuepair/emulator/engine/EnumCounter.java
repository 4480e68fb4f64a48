// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the occurrences of each constant of an enum.
 *
 * @param <E> the enum
 */
public final class EnumCounter<E extends Enum<E>> {
  private final Class<E> type;
  private final long[] counts;

  EnumCounter(Class<E> type) {
    this.type = type;
    counts = new long[type.getEnumConstants().length];
  }

  public void count(E constant) {
    counts[constant.ordinal()]++;
  }

  public long of(E constant) {
    return counts[constant.ordinal()];
  }

  /** Counts of the constants that occurred. */
  public Map<E, Long> toMap() {
    Map<E, Long> occurred = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      if (of(constant) > 0) {
        occurred.put(constant, of(constant));
      }
    }
    return occurred;
  }

  /** Counts of all constants by name, in declaration order, zeros included. */
  Map<String, Long> byName() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      all.put(constant.name(), of(constant));
    }
    return all;
  }
}

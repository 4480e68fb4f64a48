package io.queuepair.emulator.engine;

import io.queuepair.verbs.HwCounter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** The statistics of each port of a device. */
public final class PortCounters {
  private static final int KINDS = HwCounter.values().length;

  /** By number of the port, from 1, and counter. */
  private long[][] counts = new long[0][];

  /** Counts something that happened at a port. */
  public void count(int portNum, HwCounter counter) {
    if (portNum >= counts.length) {
      int known = counts.length;
      counts = Arrays.copyOf(counts, portNum + 1);
      Arrays.setAll(counts, port -> port < known ? counts[port] : new long[KINDS]);
    }
    counts[portNum][counter.ordinal()]++;
  }

  /** Every counter of a port. */
  public Map<HwCounter, Long> of(int portNum) {
    Map<HwCounter, Long> values = new EnumMap<>(HwCounter.class);
    for (HwCounter counter : HwCounter.values()) {
      values.put(counter, portNum < counts.length ? counts[portNum][counter.ordinal()] : 0L);
    }
    return values;
  }
}

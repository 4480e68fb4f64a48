package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.DropReason;
import io.queuepair.verbs.HwCounter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The statistics of each port of a device. */
public final class PortCounters {
  /** By number of the port, from 1; 0 stands for none. */
  private final List<Counts> ports = new ArrayList<>();

  /** Of one port. */
  private static final class Counts {
    private final Tally<HwCounter> events = new Tally<>(HwCounter.class);
    private final Tally<DropReason> drops = new Tally<>(DropReason.class);
  }

  /** Counts something that happened at a port. */
  public void count(int portNum, HwCounter counter) {
    at(portNum).events.count(counter);
  }

  /** Counts a packet that arrived at a port and was dropped by, or for want of, a queue pair. */
  void dropped(int portNum, DropReason reason) {
    at(portNum).drops.count(reason);
  }

  private Counts at(int portNum) {
    while (ports.size() <= portNum) {
      ports.add(new Counts());
    }
    return ports.get(portNum);
  }

  /** Every counter of a port. */
  public Map<HwCounter, Long> of(int portNum) {
    Map<HwCounter, Long> values = new EnumMap<>(HwCounter.class);
    for (HwCounter counter : HwCounter.values()) {
      values.put(counter, at(portNum).events.of(counter));
    }
    return values;
  }

  /** How many packets that arrived at a port were dropped for a reason. */
  public long drops(int portNum, DropReason reason) {
    return at(portNum).drops.of(reason);
  }
}

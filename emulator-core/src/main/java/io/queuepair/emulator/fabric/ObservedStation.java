package io.queuepair.emulator.fabric;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A station of an {@link ObservedFabric}. */
final class ObservedStation implements Station {
  private final ObservedFabric fabric;
  private final Station station;
  private final AtomicInteger turns = new AtomicInteger();

  ObservedStation(ObservedFabric fabric, Station station) {
    this.fabric = fabric;
    this.station = station;
  }

  @Override
  public void receive(List<? extends Traffic> traffic) {
    traffic.forEach(fabric::received);
    fabric.flush();
    station.receive(traffic);
  }

  @Override
  public void transmit() {
    turns.incrementAndGet();
    try {
      station.transmit();
    } finally {
      turns.decrementAndGet();
      fabric.flush();
    }
  }

  /** Whether a turn is going on, after which everything is flushed. */
  boolean isTransmitting() {
    return turns.get() > 0;
  }
}

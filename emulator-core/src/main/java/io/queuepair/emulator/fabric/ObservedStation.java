package io.queuepair.emulator.fabric;

import java.util.List;

/** A station of an {@link ObservedFabric}. */
final class ObservedStation implements Station {
  private final ObservedFabric fabric;
  private final Station station;

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
    fabric.beginTurn();
    try {
      station.transmit();
    } finally {
      fabric.endTurn();
    }
  }
}

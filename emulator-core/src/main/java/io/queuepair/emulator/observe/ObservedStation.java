// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.util.List;

/** A station of an {@link ObservedFabric}. */
final class ObservedStation implements Station {
  private final ObservedFabric fabric;
  private final InetAddress address;
  private final Station station;

  ObservedStation(ObservedFabric fabric, InetAddress address, Station station) {
    this.fabric = fabric;
    this.address = address;
    this.station = station;
  }

  @Override
  public void receive(List<? extends Traffic> traffic) {
    Arrival arrival = fabric.arriving(address, traffic);
    try {
      station.receive(traffic);
    } finally {
      fabric.arrived(arrival);
    }
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.C;
import static io.queuepair.emulator.observe.TestHosts.D;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.TestPackets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plans keep back leaves in turns of the station, or else two threads would send at once. */
final class LateTrafficTest {
  /** A station with two addresses, which sends one packet from each. */
  private static final class DelayedLinks implements Station {
    private Link first;
    private Link second;
    private boolean hasSent;
    private boolean isInTurn;

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      isInTurn = true;
      if (!hasSent) {
        hasSent = true;
        first.send(TestPackets.delivery(TestPackets.send(route(C, A), 1, 0)), null);
        second.send(TestPackets.delivery(TestPackets.send(route(D, A), 1, 0)), null);
      }
      first.endTurn();
      second.endTurn();
      isInTurn = false;
    }
  }

  /** A fabric that notes for each packet whether it left in a turn of the station. */
  private static final class Beneath extends ForwardingFabric {
    private final DelayedLinks station;
    private final List<Boolean> leftInTurn = new ArrayList<>();

    Beneath(Fabric fabric, DelayedLinks station) {
      super(fabric);
      this.station = station;
    }

    @Override
    public Link attach(InetAddress address, Station attached) {
      return new ForwardingLink(super.attach(address, attached)) {
        @Override
        public void send(Traffic traffic, String note) {
          leftInTurn.add(station.isInTurn);
          super.send(traffic, note);
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay 1us", "reorder", "duplicate; delay 1us", "delay 1us; reorder"})
  void leavesInTurnsOfTheStation(String plan) {
    DelayedLinks station = new DelayedLinks();
    Beneath beneath = new Beneath(InMemoryFabric.virtualTime(), station);

    run(station, new FaultFabric(beneath, FaultPlan.parse(plan)));

    assertThat(beneath.leftInTurn).hasSizeGreaterThanOrEqualTo(2).containsOnly(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay 1us", "reorder"})
  void leavesInTurnsOfTheStationIfTwoPlansAddUp(String plan) {
    DelayedLinks station = new DelayedLinks();
    Beneath beneath = new Beneath(InMemoryFabric.virtualTime(), station);
    Fabric faulty = new FaultFabric(beneath, FaultPlan.parse("delay 3us"));

    run(station, new FaultFabric(faulty, FaultPlan.parse(plan)));

    assertThat(beneath.leftInTurn).containsExactly(true, true);
  }

  /** Attaches the station, and lets it send until nothing is left to happen. */
  private static void run(DelayedLinks station, Fabric fabric) {
    try (fabric) {
      station.first = fabric.attach(C, station);
      station.second = fabric.attach(D, station);
      station.first.ringDoorbell();
      while (fabric.scheduler().runNext()) {}
    }
  }
}

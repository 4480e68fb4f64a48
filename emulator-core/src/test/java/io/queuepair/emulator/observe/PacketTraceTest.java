// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.C;
import static io.queuepair.emulator.observe.TestHosts.route;
import static io.queuepair.emulator.observe.TestPackets.acknowledge;
import static io.queuepair.emulator.observe.TestPackets.delivery;
import static io.queuepair.emulator.observe.TestPackets.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Aeth;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trace of packets, and of their arrivals. In virtual time a packet travels for 1 us. */
final class PacketTraceTest {
  private final PacketTrace trace = PacketTrace.of(InMemoryFabric.virtualTime());
  private final Recorder a = Recorder.at(trace.fabric(), A);

  @Test
  void keepsTheBytesOfAPacket() {
    a.send(delivery(acknowledge(route(A, B), 100, Aeth.ack(1))));

    TracedPacket packet = trace.packetsFrom(0).get(0);
    assertThat(packet.nanos()).isZero();
    assertThat(packet.note()).isEmpty();
    assertThat(packet.isFrame()).isFalse();
    assertThat(packet.lengthBytes()).isEqualTo(20);
    // BTH: opcode, flags, pkey, qpn, psn; AETH: ACK without credits, msn 1; then the ICRC.
    assertThat(packet.hex()).startsWith("1100ffff" + "00000011" + "00000064" + "1f000001");
    assertThat(packet.hex()).hasSize(40).endsWith(packet.icrcHex());
    assertThat(packet.icrcHex()).hasSize(8);
  }

  @Test
  void keepsTheBeginningOfALongPacket() {
    a.send(delivery(send(route(A, B), 0, 1024)));

    TracedPacket packet = trace.packetsFrom(0).get(0);
    assertThat(packet.lengthBytes()).isEqualTo(12 + 1024 + 4);
    assertThat(packet.hex()).hasSize(2 * TracedPacket.MOST_BYTES);
  }

  @Test
  void saysWhenAPacketArrives() {
    Recorder.at(trace.fabric(), B);

    a.send(delivery(send(route(A, B), 7, 8)));
    a.send(delivery(send(route(A, C), 8, 8)));
    assertThat(trace.arrivalsFrom(0)).isEmpty();
    trace.fabric().scheduler().runNext();

    assertThat(trace.arrivalsFrom(0)).containsExactly(new PacketArrival(0, 1_000, B, ""));
    assertThat(trace.packetsFrom(1)).hasSize(1);
  }

  @Test
  void equalPacketsArriveInTheOrderOfSending() {
    Recorder.at(trace.fabric(), B);

    a.send(delivery(send(route(A, B), 7, 8)));
    trace.fabric().scheduler().runNext();
    a.send(delivery(send(route(A, B), 7, 8)));
    trace.fabric().scheduler().runNext();

    assertThat(trace.arrivalsFrom(0).stream().map(PacketArrival::packet)).containsExactly(0, 1);
    assertThat(trace.arrivalsFrom(1)).containsExactly(new PacketArrival(1, 2_000, B, ""));
  }

  @Test
  void saysWhyAHostHasNoUseForAPacket() {
    Refusing.at(trace, "not for me");

    a.send(delivery(send(route(A, B), 7, 8)));
    trace.fabric().scheduler().runNext();

    assertThat(trace.arrivalsFrom(0)).containsExactly(new PacketArrival(0, 1_000, B, "not for me"));
  }

  /** A station that drops everything. */
  private static final class Refusing implements Station {
    private final String why;
    private Link link;

    private Refusing(String why) {
      this.why = why;
    }

    static void at(PacketTrace trace, String why) {
      Refusing station = new Refusing(why);
      station.link = trace.fabric().attach(B, station);
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      traffic.forEach(one -> link.annotate(Link.NoteSubject.UNUSED, one, 0, why));
    }

    @Override
    public void transmit() {}
  }
}

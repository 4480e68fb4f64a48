// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric.PacketForm;
import io.queuepair.emulator.observe.Recorder;
import io.queuepair.emulator.observe.TestPackets;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class WireExactTest {
  private final Fabric fabric =
      InMemoryFabric.create(InMemoryOptions.virtualTime().withWireExact(true));
  private final Recorder a = Recorder.at(fabric, A);
  private final Recorder b = Recorder.at(fabric, B);

  @Test
  void linkCarriesOneEncodedDatagramPerBurst() {
    assertThat(fabric.form()).isEqualTo(PacketForm.ENCODED);
    assertThat(a.link().maxSegments()).isEqualTo(1);
  }

  @Test
  void lentBufferHoldsTheLargestDatagram() {
    ByteBuffer lent = a.link().borrow();

    assertThat(lent.position()).isZero();
    assertThat(lent.limit()).isGreaterThanOrEqualTo(Link.BURST_BYTES);
  }

  @Test
  void datagramArrivesAsItWasEncoded() {
    Packet packet = TestPackets.send(route(A, B), 100, 64);

    a.send(TestPackets.burst(a.link().borrow(), packet));
    fabric.scheduler().runNext();

    DatagramBurst arrived = (DatagramBurst) b.received().get(0);
    assertThat(arrived.sourcePort()).isEqualTo(0xc123);
    assertThat(new PacketCodec().decode(packet.route(), arrived.bytes(), 0, 80)).isEqualTo(packet);
  }

  @Test
  void lentBufferIsLentAgainWhileItsDatagramIsOnTheWay() {
    ByteBuffer lent = a.link().borrow();
    Packet first = TestPackets.send(route(A, B), 1, 8);
    Packet second = TestPackets.send(route(A, B), 2, 8);

    a.send(TestPackets.burst(lent, first));
    ByteBuffer lentAgain = a.link().borrow();
    a.send(TestPackets.burst(lentAgain, second));
    fabric.scheduler().runNext();

    DatagramBurst arrived = (DatagramBurst) b.received().get(0);
    assertThat(lentAgain).isSameAs(lent);
    assertThat(new PacketCodec().decode(first.route(), arrived.bytes(), 0, 24)).isEqualTo(first);
  }
}

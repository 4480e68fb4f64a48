package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.fabric.Hosts.A;
import static io.queuepair.emulator.fabric.Hosts.B;
import static io.queuepair.emulator.fabric.Hosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Link.Form;
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
    assertThat(a.link().form()).isEqualTo(Form.ENCODED);
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
    Packet packet = Packets.send(route(A, B), 100, 64);

    a.send(Packets.burst(a.link().borrow(), packet));
    fabric.scheduler().runNext();

    Burst arrived = (Burst) b.received().get(0);
    assertThat(arrived.sourcePort()).isEqualTo(0xc123);
    assertThat(new PacketCodec().decode(packet.route(), arrived.bytes(), 0, 80)).isEqualTo(packet);
  }

  @Test
  void lentBufferIsLentAgainWhileItsDatagramIsOnTheWay() {
    ByteBuffer lent = a.link().borrow();
    Packet first = Packets.send(route(A, B), 1, 8);
    Packet second = Packets.send(route(A, B), 2, 8);

    a.send(Packets.burst(lent, first));
    ByteBuffer lentAgain = a.link().borrow();
    a.send(Packets.burst(lentAgain, second));
    fabric.scheduler().runNext();

    Burst arrived = (Burst) b.received().get(0);
    assertThat(lentAgain).isSameAs(lent);
    assertThat(new PacketCodec().decode(first.route(), arrived.bytes(), 0, 24)).isEqualTo(first);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.Fabric.PacketForm;
import io.queuepair.emulator.observe.Recorder;
import io.queuepair.emulator.observe.TestPackets;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static final int PORT = 0xc123;

  private static ByteBuffer acknowledgement() {
    byte[] headers = HexFormat.of().parseHex("1100ffff00000012001234561f000001");
    return ByteBuffer.allocate(headers.length + 4).put(0, headers);
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1, 10.0.0.2", "fd00::1, fd00::2"})
  void sealedDatagramsAreAccepted(String source, String destination) throws UnknownHostException {
    InetAddress from = InetAddress.getByName(source);
    InetAddress to = InetAddress.getByName(destination);
    Route route = new Route(from, to, PORT, 0, 64, 0);
    ByteBuffer datagram = acknowledgement();

    assertThat(new PacketCodec().decode(route, datagram, 0, 20)).isEqualTo(DropReason.BAD_ICRC);
    new IcrcWriter().seal(from, to, PORT, datagram);

    assertThat(new PacketCodec().decode(route, datagram, 0, 20)).isInstanceOf(Packet.class);
  }

  @Test
  void whatIsNoDatagramIsNotSealed() throws UnknownHostException {
    InetAddress here = InetAddress.getByName("fd00::1");
    ByteBuffer stub = ByteBuffer.allocate(15);

    assertThatThrownBy(() -> new IcrcWriter().seal(here, here, PORT, stub))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("15 bytes are less than a BTH and an ICRC");
  }

  /** BTH 12, RETH 16, ImmDt 4; XRCETH 4; AtomicETH 28 (InfiniBand Architecture, chapter 9). */
  @Test
  void layoutsAreThoseOfTheSpecification() {
    assertThat(DatagramLayout.all())
        .contains(
            new DatagramLayout(0x04, "RC_SEND_ONLY", Map.of(), 12),
            new DatagramLayout(
                0x0b, "RC_RDMA_WRITE_ONLY_WITH_IMM", Map.of("RETH", 12, "IMM_DT", 28), 32),
            new DatagramLayout(0xb4, "XRC_FETCH_ADD", Map.of("XRCETH", 12, "ATOMIC_ETH", 16), 44));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.host;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IpIdSearchTest {
  private final IpIdSearch search = new IpIdSearch();

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "1, 1024", "4660, 3", "32768, 256", "65535, 4096", "43981, 17"})
  void findsWhatTheSenderUsed(int identification, int payloadBytes) {
    Packet packet = TestPackets.send(route(A, B), 100, payloadBytes);

    int found = search.find(packet.route(), encoded(packet, identification));

    assertThat(found).isEqualTo(identification);
  }

  @Test
  void corruptedDatagramHasNone() {
    Packet packet = TestPackets.send(route(A, B), 100, 64);
    Payload datagram = encoded(packet, 77);
    datagram.buffer().put(20, (byte) 1);

    assertThat(search.find(packet.route(), datagram)).isZero();
  }

  @Test
  void ipv6HasNone() {
    Packet packet = TestPackets.send(route(host("fd00::1"), host("fd00::2")), 100, 64);

    assertThat(search.find(packet.route(), encoded(packet, 0))).isZero();
  }

  @Test
  void datagramTooShortForAPacketHasNone() {
    Payload datagram = Payload.of(new byte[] {1, 2, 3});

    assertThat(search.find(route(A, B), datagram)).isZero();
  }

  private static Payload encoded(Packet packet, int identification) {
    ByteBuffer bytes = ByteBuffer.allocate(5_000);
    return new Payload(bytes, 0, new PacketCodec().encode(packet, identification, bytes, 0));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IcrcTest {
  private static final String ACK = "1100ffff0000001200123456 1f000001";
  private static final String ACK_WITH_MARKS = "1100ffffff00001200123456 1f000001";

  private final Icrc icrc = new Icrc();

  @Test
  void doesNotCoverWhatRoutersChange() {
    InetAddress ipv4Source = TestRoutes.IPV4.source();
    InetAddress ipv6Source = TestRoutes.IPV6.source();
    Route ipv4 = new Route(ipv4Source, TestRoutes.IPV4.destination(), 0xc123, 0xff, 1, 0);
    Route ipv6 = new Route(ipv6Source, TestRoutes.IPV6.destination(), 0xc123, 0xff, 1, 0xfffff);

    assertThat(of(ipv4, 0, ACK_WITH_MARKS)).isEqualTo(of(TestRoutes.IPV4, 0, ACK));
    assertThat(of(ipv6, 0, ACK_WITH_MARKS)).isEqualTo(of(TestRoutes.IPV6, 0, ACK));
  }

  @Test
  void coversAddressesPortAndIdentification() {
    int original = of(TestRoutes.IPV4, 0, ACK);
    Route fromAnotherPort =
        new Route(TestRoutes.IPV4.source(), TestRoutes.IPV4.destination(), 0xc124, 0, 64, 0);

    assertThat(of(fromAnotherPort, 0, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.between("10.0.0.3", "10.0.0.2"), 0, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.between("10.0.0.1", "10.0.0.3"), 0, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.IPV4, 1, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.IPV6, 1, ACK)).isEqualTo(of(TestRoutes.IPV6, 0, ACK));
  }

  @Test
  void remembersNothingOfOtherRoutes() {
    for (int round = 0; round < 2; round++) {
      for (int host = 1; host < 255; host++) {
        Route route = TestRoutes.between("10.0.0." + host, "10.0.1." + host);
        ByteBuffer ack = Hex.buffer(ACK);

        assertThat(icrc.compute(route, host, ack, 0, 16))
            .isEqualTo(new Icrc().compute(route, host, ack, 0, 16));
      }
    }
  }

  @Test
  void doesNotDependOnThePacketsBefore() {
    Random random = new Random(7);
    List<Route> routes =
        List.of(TestRoutes.IPV4, TestRoutes.IPV6, TestRoutes.between("10.0.0.3", "10.0.0.2"));
    for (int round = 0; round < 10_000; round++) {
      Route route = routes.get(random.nextInt(routes.size()));
      byte[] packet = new byte[12 + random.nextInt(8) * 100];
      random.nextBytes(packet);
      packet[4] = random.nextBoolean() ? 0 : packet[4];
      int identification = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : random.nextInt(70);

      assertThat(icrc.compute(route, identification, ByteBuffer.wrap(packet), 0, packet.length))
          .isEqualTo(
              new Icrc().compute(route, identification, ByteBuffer.wrap(packet), 0, packet.length));
    }
  }

  @Test
  void flagsOfAPacketBeforeDoNotCount() {
    Payload ack = Payload.of(Hex.bytes(ACK + "00000000"));
    for (int flags : new int[] {0, IpHeader.DONT_FRAGMENT, 0}) {
      EthernetFrame frame = new EthernetFrame(TestRoutes.IPV4, 0, flags, ack);

      assertThat(icrc.compute(frame)).isEqualTo(new Icrc().compute(frame));
    }
  }

  @Test
  void leavesTheBufferAsItWas() {
    ByteBuffer direct = ByteBuffer.allocateDirect(100).put(40, Hex.bytes(ACK));
    direct.position(70).limit(80);

    int fromDirect = icrc.compute(TestRoutes.IPV4, 0, direct, 40, 16);

    assertThat(fromDirect).isEqualTo(of(TestRoutes.IPV4, 0, ACK));
    assertThat(direct.position()).isEqualTo(70);
    assertThat(direct.limit()).isEqualTo(80);
  }

  private int of(Route route, int identification, String packet) {
    ByteBuffer bytes = Hex.buffer(packet);
    return icrc.compute(route, identification, bytes, 0, bytes.capacity());
  }
}

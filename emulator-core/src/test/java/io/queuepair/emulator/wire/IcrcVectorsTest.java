// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Packets from IP header to pad, and their ICRC as on the wire. The first was captured from a
 * ConnectX-4, the second is in the tests of scapy ({@code roce.uts}); the others were computed by
 * an independent program that gives these two.
 */
class IcrcVectorsTest {
  private static final String ETHERNET_IPV4 = "000000000000 000000000000 0800";
  private static final String ETHERNET_IPV6 = "000000000000 000000000000 86dd";

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "CNP,"
        + "45c2003c718c4000401191610a0011010a001201 000012b700280000"
        + " 8100ffff4000011800000000 00000000000000000000000000000000, 82fd002a",
    "UC SEND_ONLY,"
        + "4501004004784000 4011b4d5c0a80007c0a80007 c00012b7002c0000"
        + " 2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e50 0000, 78f353f3",
    "RC SEND_ONLY hello,"
        + "4500003400004000401126b70a0000010a000002 c12312b700200000"
        + " 0430ffff0000001180123456 68656c6c6f 000000, c6a414ee",
    "RC ACK,"
        + "4500003000004000401126bb0a0000010a000002 c12312b7001c0000"
        + " 1100ffff0000001200123456 1f000001, e7920f24",
    "UD SEND_ONLY,"
        + "4500003800004000401126b30a0000010a000002 c12312b700240000"
        + " 6400ffff0000001400000007 1111111100000013 01020304, 487ca6e0",
  })
  void isRightOverIpv4(String name, String packet, String icrc) {
    assertIcrc(ETHERNET_IPV4 + packet, icrc);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "RC RDMA_WRITE_ONLY,"
        + "60000000002c1140 fd000000000000000000000000000001 fd000000000000000000000000000002"
        + " c12312b7002c0000 0a10ffff0000001180000000 00007f0000001000 00001234 00000003"
        + " 616263 00, 7a191e0b",
  })
  void isRightOverIpv6(String name, String packet, String icrc) {
    assertIcrc(ETHERNET_IPV6 + packet, icrc);
  }

  private static void assertIcrc(String packet, String icrc) {
    ByteBuffer bytes = Hex.buffer(packet + icrc);
    EthernetFrame frame = EthernetFrame.parse(bytes, 0, bytes.capacity()).orElseThrow();
    Route route = frame.route();
    int offset = frame.datagram().offset();
    int length = frame.datagram().length();

    int computed = new Icrc().compute(route, frame.identification(), bytes, offset, length - 4);

    assertThat(computed).isEqualTo(Integer.reverseBytes(Hex.buffer(icrc).getInt()));
    assertThat(new Icrc().verify(route, bytes, offset, length)).isTrue();
    assertThat(new PacketCodec().decode(route, bytes, offset, length)).isInstanceOf(Packet.class);
  }
}

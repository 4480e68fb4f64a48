// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.RxHashConf;
import io.queuepair.verbs.RxHashField;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hash is that of the suite "Verifying the RSS Hash Calculation" of Microsoft. */
final class ToeplitzHashTest {
  private static final byte[] KEY =
      HexFormat.of()
          .parseHex(
              "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c"
                  + "6a42b73bbeac01fa");

  private static final int TCP = 6;
  private static final int UDP = 17;

  private static int hash(IpPacket packet, RxHashField... fields) {
    return new ToeplitzHash(RxHashConf.toeplitz(KEY, fields)).of(packet);
  }

  /** A packet with a header of 20 bytes for its transport. */
  private static IpPacket packet(int protocol, String source, int from, String dest, int to)
      throws UnknownHostException {
    byte[] src = InetAddress.getByName(source).getAddress();
    byte[] dst = InetAddress.getByName(dest).getAddress();
    ByteBuffer bytes = ByteBuffer.allocate(60);
    boolean isIpv4 = src.length == 4;
    if (isIpv4) {
      bytes.put((byte) 0x45).put(9, (byte) protocol).position(12);
    } else {
      bytes.put((byte) 0x60).put(6, (byte) protocol).position(8);
    }
    bytes.put(src).put(dst).putShort((short) from).putShort((short) to);
    int type = isIpv4 ? Ethernet.TYPE_IPV4 : Ethernet.TYPE_IPV6;
    return IpPacket.of(type, new Payload(bytes, 0, bytes.capacity()), 0);
  }

  @ParameterizedTest
  @CsvSource({
    "66.9.149.187, 2794, 161.142.100.80, 1766, 323e8fc2, 51ccc178",
    "199.92.111.2, 14230, 65.69.140.83, 4739, d718262a, c626b0ea",
    "24.19.198.95, 12898, 12.22.207.184, 38024, d2d0a5de, 5c2b394a",
    "38.27.205.30, 48228, 209.142.163.6, 2217, 82989176, afc7327f",
    "153.39.163.191, 44251, 202.188.127.2, 1303, 5d1809c5, 10e828a2"
  })
  void addressesAndPortsOfIpv4(
      String source, int from, String dest, int to, String ofAddresses, String withPorts)
      throws UnknownHostException {
    RxHashField[] addresses = {RxHashField.SRC_IPV4, RxHashField.DST_IPV4};

    IpPacket tcp = packet(TCP, source, from, dest, to);
    IpPacket udp = packet(UDP, source, from, dest, to);

    assertThat(hash(tcp, addresses)).isEqualTo(HexFormat.fromHexDigits(ofAddresses));
    assertThat(
            hash(
                tcp,
                RxHashField.SRC_IPV4,
                RxHashField.DST_IPV4,
                RxHashField.SRC_PORT_TCP,
                RxHashField.DST_PORT_TCP))
        .isEqualTo(HexFormat.fromHexDigits(withPorts));
    assertThat(
            hash(
                udp,
                RxHashField.SRC_IPV4,
                RxHashField.DST_IPV4,
                RxHashField.SRC_PORT_UDP,
                RxHashField.DST_PORT_UDP))
        .isEqualTo(HexFormat.fromHexDigits(withPorts));
  }

  @ParameterizedTest
  @CsvSource({
    "3ffe:2501:200:1fff::7, 2794, 3ffe:2501:200:3::1, 1766, 2cc18cd5, 40207d3d",
    "3ffe:501:8::260:97ff:fe40:efab, 14230, ff02::1, 4739, 0f0c461c, dde51bbf",
    "3ffe:1900:4545:3:200:f8ff:fe21:67cf, 44251, fe80::200:f8ff:fe21:67cf, 38024,"
        + " 4b61e985, 02d1feef"
  })
  void addressesAndPortsOfIpv6(
      String source, int from, String dest, int to, String ofAddresses, String withPorts)
      throws UnknownHostException {
    IpPacket tcp = packet(TCP, source, from, dest, to);

    assertThat(hash(tcp, RxHashField.SRC_IPV6, RxHashField.DST_IPV6))
        .isEqualTo(HexFormat.fromHexDigits(ofAddresses));
    assertThat(
            hash(
                tcp,
                RxHashField.SRC_IPV6,
                RxHashField.DST_IPV6,
                RxHashField.SRC_PORT_TCP,
                RxHashField.DST_PORT_TCP))
        .isEqualTo(HexFormat.fromHexDigits(withPorts));
  }

  @Test
  void fieldsOfOtherProtocolsDoNotCount() throws UnknownHostException {
    IpPacket tcp = packet(TCP, "66.9.149.187", 2794, "161.142.100.80", 1766);

    assertThat(hash(tcp, RxHashField.SRC_IPV6, RxHashField.SRC_PORT_UDP)).isZero();
    assertThat(
            hash(
                tcp,
                RxHashField.SRC_IPV4,
                RxHashField.DST_IPV4,
                RxHashField.SRC_PORT_UDP,
                RxHashField.DST_PORT_UDP))
        .isEqualTo(0x323e8fc2);
  }
}

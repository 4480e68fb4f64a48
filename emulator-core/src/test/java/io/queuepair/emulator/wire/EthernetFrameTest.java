// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EthernetFrameTest {
  private static final int MAC_ADDRESSES = 12;

  @ParameterizedTest
  @ValueSource(strings = {"rc_send", "ud_send", "errors", "rc_send_ipv6", "cm_rping", "uc_send"})
  void writesWhatLinuxWroteExceptForMacAddresses(String capture) {
    for (ByteBuffer recorded : Pcapng.frames("/pcap/" + capture + ".pcapng")) {
      EthernetFrame frame = EthernetFrame.parse(recorded, 0, recorded.capacity()).orElseThrow();
      ByteBuffer written = ByteBuffer.allocate(recorded.capacity());

      EthernetFrame.write(frame.route(), frame.identification(), frame.udpPayload(), written, 0);

      assertThat(written.slice(MAC_ADDRESSES, written.capacity() - MAC_ADDRESSES))
          .isEqualTo(recorded.slice(MAC_ADDRESSES, recorded.capacity() - MAC_ADDRESSES));
    }
  }

  @Test
  void parsingUndoesWriting() {
    Payload datagram = Payload.of(Hex.bytes("0102030405"));
    Route ipv4 =
        new Route(TestRoutes.IPV4.source(), TestRoutes.IPV4.destination(), 0xffff, 0xc2, 255, 0);
    Route ipv6 =
        new Route(TestRoutes.IPV6.source(), TestRoutes.IPV6.destination(), 1, 0xc2, 255, 0xfedcb);

    assertThat(rewritten(ipv4, 0xbeef, datagram))
        .isEqualTo(new EthernetFrame(ipv4, 0xbeef, 0x4000, datagram));
    assertThat(rewritten(ipv6, 0, datagram)).isEqualTo(new EthernetFrame(ipv6, 0, 0, datagram));
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.1.2.3, 02000a010203 02000a000001",
    "10.0.0.1, 239.129.2.3, 01005e010203 02000a000001",
    "fd00::1, fd00::a0b:c0d, 02000a0b0c0d 020000000001",
    "fd00::1, ff0e::a0b:c0d, 33330a0b0c0d 020000000001",
  })
  void derivesMacAddressesFromIpAddresses(String source, String destination, String macs) {
    ByteBuffer written = ByteBuffer.allocate(100);

    EthernetFrame.write(TestRoutes.between(source, destination), 0, Payload.EMPTY, written, 0);

    assertThat(written.slice(0, MAC_ADDRESSES)).isEqualTo(Hex.buffer(macs));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "too short for Ethernet, 0000000000000000000000",
    "ARP, 000000000000000000000000 0806 0001080006040001",
    "too short for IPv4, 000000000000000000000000 0800 45000020000040004011",
    "TCP, 000000000000000000000000 0800 45000024000040004006000000000000 00000000"
        + " c12312b700100000 0102030405060708",
    "another port, 000000000000000000000000 0800 45000024000040004011000000000000 00000000"
        + " c12312b600100000 0102030405060708",
    "a fragment, 000000000000000000000000 0800 45000024000020004011000000000000 00000000"
        + " c12312b700100000 0102030405060708",
    "cut off, 000000000000000000000000 0800 45000024000040004011000000000000 00000000"
        + " c12312b700100000 01020304050607",
    "UDP length below a header, 000000000000000000000000 0800"
        + " 45000024000040004011000000000000 00000000 c12312b700070000 0102030405060708",
    "too short for IPv6, 000000000000000000000000 86dd 60000000",
  })
  void skipsWhatIsNotAWholeRoceDatagram(String what, String bytes) {
    ByteBuffer frame = Hex.buffer(bytes);

    assertThat(EthernetFrame.parse(frame, 0, frame.capacity())).isEmpty();
  }

  @Test
  void ignoresPaddingOfShortFrames() {
    ByteBuffer frame = ByteBuffer.allocate(60);
    Payload datagram = Payload.of(Hex.bytes("01"));
    EthernetFrame.write(TestRoutes.IPV4, 0, datagram, frame, 0);

    assertThat(EthernetFrame.parse(frame, 0, 60).orElseThrow().udpPayload()).isEqualTo(datagram);
  }

  private static EthernetFrame rewritten(Route route, int identification, Payload datagram) {
    ByteBuffer bytes = ByteBuffer.allocate(200);
    int length = EthernetFrame.write(route, identification, datagram, bytes, 9);
    assertThat(length).isEqualTo(EthernetFrame.headerBytes(route) + datagram.length());
    return EthernetFrame.parse(bytes, 9, length).orElseThrow();
  }

  /** Groups by RFC 1112 (lower 23 bits) and RFC 2464 (last four bytes). */
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 02:00:0a:00:00:01",
    "223.255.255.255, 02:00:df:ff:ff:ff",
    "fd00::1:2:3, 02:00:00:02:00:03",
    "fe80::5054:ff:fe00:5, 52:54:00:00:00:05",
    "fe80::ff:fe00:1, 02:00:00:00:00:01",
    "fe80::fe00:1, 02:00:fe:00:00:01",
    "fd00::5054:ff:fe00:5, 02:00:fe:00:00:05",
    "224.0.0.1, 01:00:5e:00:00:01",
    "239.1.2.3, 01:00:5e:01:02:03",
    "239.129.2.3, 01:00:5e:01:02:03",
    "239.255.255.255, 01:00:5e:7f:ff:ff",
    "ff02::1, 33:33:00:00:00:01",
    "ff0e::1:fe02:3, 33:33:fe:02:00:03"
  })
  void addressFollowsFromThatOfIp(String ip, String mac) throws UnknownHostException {
    assertThat(Ethernet.macOf(InetAddress.getByName(ip))).hasToString(mac);
  }

  @Test
  void holdsTheIpv4HeaderAfterTwentyZeros() {
    assertThat(Grh.of(datagram(TestRoutes.IPV4)))
        .isEqualTo(
            Payload.of(Hex.bytes("00".repeat(20) + "4500003800004000401126b30a0000010a000002")));
  }

  @Test
  void isTheIpv6Header() {
    assertThat(Grh.of(datagram(TestRoutes.IPV6)))
        .isEqualTo(
            Payload.of(
                Hex.bytes(
                    "60000000 0024 11 40" // version.class.flow, length, next header, hop limit
                        + "fd000000000000000000000000000001"
                        + "fd000000000000000000000000000002")));
  }

  private static Packet datagram(Route route) {
    return new Packet(
        route,
        Bth.of(Opcode.UD_SEND_ONLY, 0x14, 7),
        List.of(new Deth(0x11111111, 0x13)),
        Payload.of(Hex.bytes("01020304")));
  }
}

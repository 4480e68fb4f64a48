// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EthernetFrameTest {
  private static final int MAC_ADDRESSES = 12;

  @ParameterizedTest
  @ValueSource(strings = {"rc_send", "ud_send", "errors", "rc_send_ipv6"})
  void writesWhatLinuxWroteExceptForMacAddresses(String capture) {
    for (ByteBuffer recorded : Pcapng.frames("/pcap/" + capture + ".pcapng")) {
      EthernetFrame frame = EthernetFrame.parse(recorded, 0, recorded.capacity()).orElseThrow();
      ByteBuffer written = ByteBuffer.allocate(recorded.capacity());

      EthernetFrame.write(frame.route(), frame.identification(), frame.datagram(), written, 0);

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

    assertThat(EthernetFrame.parse(frame, 0, 60).orElseThrow().datagram()).isEqualTo(datagram);
  }

  private static EthernetFrame rewritten(Route route, int identification, Payload datagram) {
    ByteBuffer bytes = ByteBuffer.allocate(200);
    int length = EthernetFrame.write(route, identification, datagram, bytes, 9);
    assertThat(length).isEqualTo(EthernetFrame.headerBytes(route) + datagram.length());
    return EthernetFrame.parse(bytes, 9, length).orElseThrow();
  }
}

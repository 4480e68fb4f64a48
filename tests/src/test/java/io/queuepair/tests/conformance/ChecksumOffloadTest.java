// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checksums that the device computes and verifies for queue pairs of type RAW_PACKET. The expected
 * bytes were worked out from RFC 791, 768, 8200 and 9293 by a program of its own.
 */
final class ChecksumOffloadTest {
  private static final int DATA = 8 * RawHost.SLOT_BYTES;
  private static final String ETHERNET = "02000a000002 02000a000001 ";
  private static final String IPV4 = ETHERNET + "0800 ";
  private static final String ADDRESSES = "0a000001 0a000002 ";
  private static final String ADDRESSES_IPV6 =
      "fd000000000000000000000000000001 fd000000000000000000000000000002 ";

  private static final Set<DeviceCapFlag> CHECKSUM_CAPABILITIES =
      EnumSet.of(DeviceCapFlag.UD_IP_CSUM, DeviceCapFlag.RC_IP_CSUM, DeviceCapFlag.RAW_IP_CSUM);

  @AutoClose private final Segment segment = new Segment();

  ChecksumOffloadTest() {
    segment.b().steer(FlowAttr.normal());
    segment.b().postRecv(0);
  }

  private void send(String spacedHex, SendFlag... flags) {
    byte[] frame = Bytes.ofHex(spacedHex);
    Bytes.into(segment.a().region(), DATA, frame);
    SendWr wr = SendWr.send(1, segment.a().region().sge(DATA, frame.length));
    segment.a().qp().postSend(wr.withFlags(flags));
    segment.drain();
  }

  private void assertSentAs(String expected, String posted) {
    send(posted, SendFlag.IP_CSUM);

    byte[] bytes = Bytes.ofHex(expected);
    assertThat(HexFormat.of().formatHex(segment.b().slot(0, bytes.length)))
        .isEqualTo(expected.replace(" ", ""));
  }

  private void assertReceived(String outcome, String frame) {
    send(frame);

    assertThat(segment.b().receives()).containsExactly(outcome);
  }

  @Test
  void ofIpv4AndUdpAreComputed() {
    assertSentAs(
        IPV4 + "45000020 00004000 401126cb " + ADDRESSES + "00071234 000c3bfb deadbeef",
        IPV4 + "45000020 00004000 40111111 " + ADDRESSES + "00071234 000c2222 deadbeef");
  }

  @Test
  void ofAnOddNumberOfBytesAreComputed() {
    assertSentAs(
        IPV4 + "4500001f 00004000 401126cc " + ADDRESSES + "00071234 000b3cec deadbe",
        IPV4 + "4500001f 00004000 40110000 " + ADDRESSES + "00071234 000b0000 deadbe");
  }

  @Test
  void ofTcpBehindOptionsAreComputed() {
    String options = "01010100 ";
    String tcp = "13881389 00000000 01020304 50022000 ";
    assertSentAs(
        IPV4 + "4600002c 00004000 400623c9 " + ADDRESSES + options + tcp + "50c90000",
        IPV4 + "4600002c 00004000 40060000 " + ADDRESSES + options + tcp + "00000000");
  }

  @Test
  void ofUdpOverIpv6AreComputed() {
    assertSentAs(
        ETHERNET + "86dd 60000000 000c1140 " + ADDRESSES_IPV6 + "00071234 000c55f9 deadbeef",
        ETHERNET + "86dd 60000000 000c1140 " + ADDRESSES_IPV6 + "00071234 000c0000 deadbeef");
  }

  @Test
  void ofUdpAreNeverZero() {
    assertSentAs(
        IPV4 + "4500001e 00004000 401126cd " + ADDRESSES + "00071234 000affff d99c",
        IPV4 + "4500001e 00004000 40110000 " + ADDRESSES + "00071234 000a0000 d99c");
  }

  @Test
  void ofTaggedFramesAreComputed() {
    assertSentAs(
        ETHERNET
            + "8100 6005 0800 45000020 00004000 401126cb "
            + ADDRESSES
            + "00071234 000c3bfb deadbeef",
        ETHERNET
            + "8100 6005 0800 45000020 00004000 40110000 "
            + ADDRESSES
            + "00071234 000c0000 deadbeef");
  }

  @Test
  void ofAFragmentOnlyThatOfIpv4IsComputed() {
    assertSentAs(
        IPV4 + "45000020 00002000 401146cb " + ADDRESSES + "00071234 000c2222 deadbeef",
        IPV4 + "45000020 00002000 40110000 " + ADDRESSES + "00071234 000c2222 deadbeef");
  }

  @Test
  void areLeftAloneIfNotAskedFor() {
    String posted = IPV4 + "45000020 00004000 40111111 " + ADDRESSES + "00071234 000c2222 deadbeef";

    send(posted);

    assertThat(HexFormat.of().formatHex(segment.b().slot(0, 46)))
        .isEqualTo(posted.replace(" ", ""));
  }

  @Test
  void memoryOfTheApplicationStaysAsItIs() {
    byte[] posted =
        Bytes.ofHex(
            IPV4 + "45000020 00004000 40110000 " + ADDRESSES + "00071234 000c0000 deadbeef");

    send(HexFormat.of().formatHex(posted), SendFlag.IP_CSUM);

    assertThat(Bytes.in(segment.a().region(), DATA, posted.length)).isEqualTo(posted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "45000020 00004000 401126cb 0a000001 0a000002 00071234 000c3bfb deadbeef",
        "4500002c 00004000 400626ca 0a000001 0a000002"
            + "13881389 00000002 01020304 50102000 44a70000 05060708",
        "4600002c 00004000 400623c9 0a000001 0a000002 01010100"
            + "13881389 00000000 01020304 50022000 50c90000",
      })
  void thatAreRightAreTold(String packet) {
    int bytes = Bytes.ofHex(IPV4 + packet).length;

    assertReceived("0 RECV " + bytes + " [IP_CSUM_OK]", IPV4 + packet);
  }

  @Test
  void paddingDoesNotCount() {
    assertReceived(
        "0 RECV 48 [IP_CSUM_OK]",
        IPV4 + "45000020 00004000 401126cb " + ADDRESSES + "00071234 000c3bfb deadbeef ffff");
  }

  @Test
  void ofTaggedFramesAreTold() {
    assertReceived(
        "0 RECV 50 [IP_CSUM_OK]",
        ETHERNET
            + "8100 6005 0800 45000020 00004000 401126cb "
            + ADDRESSES
            + "00071234 000c3bfb deadbeef");
  }

  /** One bit of the header, of the data or of a checksum is wrong; or there is none to be right. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "45000020 00004000 401126ca 0a000001 0a000002 00071234 000c3bfb deadbeef",
        "45000020 00004000 411126cb 0a000001 0a000002 00071234 000c3bfb deadbeef",
        "45000020 00004000 401126cb 0a000001 0a000002 00071234 000c3bfa deadbeef",
        "45000020 00004000 401126cb 0a000001 0a000002 00071234 000c3bfb deadbeee",
        "45000020 00004000 401126cb 0a000001 0a000002 00071234 000c0000 deadbeef",
        "45000020 00002000 401146cb 0a000001 0a000002 00071234 000c3bfb deadbeef",
        "45000020 00004000 400126db 0a000001 0a000002 0800f7ff 00000000 00000000",
      })
  void thatAreNotRightAreNotTold(String packet) {
    assertReceived("0 RECV 46", IPV4 + packet);
  }

  @Test
  void ofIpv6AreNotTold() {
    assertReceived(
        "0 RECV 66",
        ETHERNET + "86dd 60000000 000c1140 " + ADDRESSES_IPV6 + "00071234 000c55f9 deadbeef");
  }

  @Test
  void deviceSaysWhatItComputes() {
    assertThat(segment.a().context().queryDevice().deviceCapFlags())
        .contains(DeviceCapFlag.UD_IP_CSUM, DeviceCapFlag.RAW_IP_CSUM)
        .doesNotContain(DeviceCapFlag.RC_IP_CSUM);
  }

  @Test
  void withoutRawPacketsTheirChecksumsAreNotOffered() {
    try (Emulator emulator = Emulator.on(UdpFabric.open())) {
      assertThat(emulator.addDevice("127.0.0.78").open().queryDevice().deviceCapFlags())
          .contains(DeviceCapFlag.UD_IP_CSUM)
          .doesNotContain(DeviceCapFlag.RAW_IP_CSUM);
    }
  }

  @Test
  void softRoceComputesNone() {
    assertThat(DeviceProfile.softRoce().capabilities())
        .doesNotContainAnyElementsOf(List.copyOf(CHECKSUM_CAPABILITIES));
  }
}

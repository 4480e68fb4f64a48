// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.HexFormat;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @AutoClose private final Segment segment = new Segment();

  ChecksumOffloadTest() {
    segment.b().steer(FlowAttr.normal());
    segment.b().postRecv(0);
  }

  private void send(String spacedHex, SendFlag... flags) {
    byte[] frame = Bytes.ofHex(spacedHex);
    Bytes.into(segment.a().region(), DATA, frame);
    SendWr wr = SendWr.send(1, segment.a().region().sge(DATA, frame.length));
    segment.send(wr.withFlags(flags));
  }

  private void assertSentAs(String expected, String posted) {
    send(posted, SendFlag.IP_CSUM);

    byte[] bytes = Bytes.ofHex(expected);
    assertThat(HexFormat.of().formatHex(segment.b().slot(0, bytes.length)))
        .isEqualTo(expected.replace(" ", ""));
  }

  /** Frames sent, with the wrong checksums as they are posted in brackets. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "IPv4 and UDP, 0800 45000020 00004000 4011 26cb[1111] IPV4 00071234 000c 3bfb[2222] deadbeef",
    "odd bytes, 0800 4500001f 00004000 4011 26cc[0000] IPV4 00071234 000b 3cec[0000] deadbe",
    "TCP behind options, 0800 4600002c 00004000 4006 23c9[0000] IPV4 01010100"
        + " 13881389 00000000 01020304 50022000 50c9[0000]0000",
    "UDP over IPv6, 86dd 60000000 000c1140 IPV6 00071234 000c 55f9[0000] deadbeef",
    "UDP is never 0, 0800 4500001e 00004000 4011 26cd[0000] IPV4 00071234 000a ffff[0000] d99c",
    "tagged, 8100 6005 0800 45000020 00004000 4011 26cb[0000] IPV4"
        + " 00071234 000c 3bfb[0000] deadbeef",
    "fragment only IPv4, 0800 45000020 00002000 4011 46cb[0000] IPV4 00071234 000c2222 deadbeef"
  })
  void areComputed(String what, String frame) {
    String packet = ETHERNET + frame.replace("IPV4", ADDRESSES).replace("IPV6", ADDRESSES_IPV6);

    assertSentAs(packet.replaceAll("\\[[0-9]{4}]", ""), packet.replaceAll("[0-9a-f]{4}\\[|]", ""));
  }

  @Test
  void areLeftAloneIfNotAskedFor() {
    String posted = IPV4 + "45000020 00004000 40111111 " + ADDRESSES + "00071234 000c2222 deadbeef";

    send(posted);

    assertThat(HexFormat.of().formatHex(segment.b().slot(0, 46)))
        .isEqualTo(posted.replace(" ", ""));
  }

  /** One bit of the header, of the data or of a checksum is wrong; or there is none to be right. */
  @ParameterizedTest
  @CsvSource({
    "46, 0800 45000020 00004000 401126ca IPV4 00071234 000c3bfb deadbeef",
    "46, 0800 45000020 00004000 411126cb IPV4 00071234 000c3bfb deadbeef",
    "46, 0800 45000020 00004000 401126cb IPV4 00071234 000c3bfa deadbeef",
    "46, 0800 45000020 00004000 401126cb IPV4 00071234 000c3bfb deadbeee",
    "46, 0800 45000020 00004000 401126cb IPV4 00071234 000c0000 deadbeef",
    "46, 0800 45000020 00002000 401146cb IPV4 00071234 000c3bfb deadbeef",
    "46, 0800 45000020 00004000 400126db IPV4 0800f7ff 00000000 00000000",
    "66, 86dd 60000000 000c1140 IPV6 00071234 000c55f9 deadbeef",
  })
  void thatAreNotRightAreNotTold(int bytes, String frame) {
    send(ETHERNET + frame.replace("IPV4", ADDRESSES).replace("IPV6", ADDRESSES_IPV6));

    assertThat(segment.b().receives()).containsExactly("0 RECV " + bytes);
  }

  @Test
  void deviceSaysWhatItComputes() {
    assertThat(segment.a().context().queryDevice().deviceCapFlags())
        .contains(DeviceCapFlag.UD_IP_CSUM, DeviceCapFlag.RAW_IP_CSUM)
        .doesNotContain(DeviceCapFlag.RC_IP_CSUM);
  }

  @Test
  void softRoceComputesNone() {
    assertThat(DeviceProfile.softRoce().capabilities())
        .doesNotContain(
            DeviceCapFlag.UD_IP_CSUM, DeviceCapFlag.RC_IP_CSUM, DeviceCapFlag.RAW_IP_CSUM);
  }
}

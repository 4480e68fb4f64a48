// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Contents of packets for queue pair 1. The values of recorded messages are those tshark shows. */
final class MadPayloadTest {
  private static final int GSI_QKEY = 0x8001_0000;

  private static Packet packet(int qpn, byte[] payload) {
    InetAddress host = InetAddress.getLoopbackAddress();
    return new Packet(
        new Route(host, host, 0xc000, 0, 64, 0),
        Bth.of(Opcode.UD_SEND_ONLY, qpn, 0),
        List.of(new Deth(GSI_QKEY, 1)),
        Payload.of(payload));
  }

  private static byte[] reject(int reason) {
    ImmutableBytes words = ImmutableBytes.of(new byte[] {1, 2, 0});
    return CmMessage.of(CmKind.REJ, 2, 3)
        .set(CmField.REJ_MESSAGE_REJECTED, AnsweredMessage.REP.code())
        .set(CmField.REJ_REASON, reason)
        .setPrivateData(words)
        .toBytes();
  }

  @Test
  void aRecordedRequestIsShownWithItsAddresses() {
    MadPayload mad = MadPayload.in(RecordedMads.packets("cm_rping").get(0));

    assertThat(mad)
        .hasToString(
            "CM REQ local=0xab0dbc85 service=0x0000000001061c06 qpn=0x000025 psn=13591630"
                + " from=192.0.2.3 port=51123 to=192.0.2.2");
    assertThat(mad.fields())
        .containsEntry("mad_transaction_id", "0x0000000285bc0dab")
        .containsEntry("cm", "REQ")
        .containsEntry("cm_local_comm_id", "0xab0dbc85")
        .containsEntry("cm_local_qpn", 0x25L)
        .containsEntry("cm_primary_remote_gid", "0000:0000:0000:0000:0000:ffff:c000:0202")
        .containsEntry("cm_ip_version", 4)
        .containsEntry("cm_ip_source_port", 0xc7b3)
        .containsEntry("cm_ip_source", "192.0.2.3")
        .containsEntry("cm_ip_destination", "192.0.2.2")
        .containsEntry("cm_ip_private_data", "");
  }

  @Test
  void aRejectSaysItsReasonByName() {
    MadPayload mad = MadPayload.in(packet(1, reject(10)));

    assertThat(mad)
        .hasToString(
            "CM REJ local=0x00000002 remote=0x00000003 of=REP reason=stale connection (10)"
                + " private=2");
    assertThat(mad.fields())
        .containsEntry("cm_reason", 10L)
        .containsEntry("cm_reason_text", "stale connection (10)")
        .containsEntry("cm_private_data", "0102");
  }

  @Test
  void datagramsThatAreNoMessagesSayWhatTheyAre() {
    byte[] mad = reject(1);
    mad[2] = 1;
    byte[] other = HexFormat.of().parseHex("0103" + "02".repeat(254));

    assertThat(MadPayload.in(packet(1, mad)))
        .hasToString(
            "MAD class=0x07 method=0x03 attribute=0x0012, no CM message: The class version is not"
                + " 2.");
    assertThat(MadPayload.in(packet(1, mad)).fields()).containsKey("cm_invalid");
    assertThat(MadPayload.in(packet(1, other)))
        .hasToString("MAD class=0x03 method=0x02 attribute=0x0202");
    assertThat(MadPayload.in(packet(1, other)).fields()).doesNotContainKeys("cm", "cm_invalid");
  }

  @Test
  void onlyWholeDatagramsForQueuePairOneAreLookedInto() {
    assertThat(MadPayload.in(packet(2, reject(1)))).isNull();
    assertThat(MadPayload.in(packet(1, new byte[255]))).isNull();
    assertThat(MadPayload.in(packet(1, new byte[0]))).isNull();
  }

  @Test
  void aFieldIsReplacedAndNothingElse() {
    for (CmField field : CmField.values()) {
      if (field.isNumber() && field.message() == CmKind.REQ) {
        Packet before = packet(1, allOnes(field.message()));
        MadField named = MadField.named(MadField.nameOf(field));

        Packet zero = named.with(before, 0);

        assertThat(named.of(zero)).as(named.toString()).isZero();
        assertThat(named.with(zero, -1)).as(named.toString()).isEqualTo(before);
      }
    }
  }

  private static byte[] allOnes(CmKind kind) {
    byte[] mad = new byte[MadHeader.MAD_BYTES];
    Arrays.fill(mad, MadHeader.BYTES, mad.length, (byte) 0xff);
    MadHeader.write(ByteBuffer.wrap(mad), kind, 5);
    return mad;
  }

  @Test
  void fieldsOfTheSameNameMayDifferInLength() {
    Packet rep = packet(1, CmMessage.of(CmKind.REP).toBytes());
    MadField field = MadField.named("cm_vendor_id_high");

    assertThat(field.bits()).isEqualTo(16);
    assertThat(field.bitsIn(rep)).isEqualTo(8);
    assertThat(field.of(field.with(rep, 0xabcd))).isEqualTo(0xcd);
  }

  @Test
  void whateverArrivesCanBeShown() {
    Random random = new Random(3);
    byte[] mad = new byte[256];
    for (int i = 0; i < 5_000; i++) {
      random.nextBytes(mad);
      mad[0] = 1;
      mad[1] = i % 2 == 0 ? 7 : mad[1];
      mad[2] = 2;
      mad[3] = 3;
      mad[16] = 0;
      mad[17] = (byte) (0x0f + i % 13);
      MadPayload payload = MadPayload.in(packet(1, mad));

      assertThat(payload.toString()).isNotEmpty();
      assertThat(payload.fields()).isNotEmpty();
    }
  }
}

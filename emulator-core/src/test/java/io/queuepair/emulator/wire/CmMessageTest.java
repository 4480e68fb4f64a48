// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are no message are refused with a reason; nothing that arrives throws. */
class CmMessageTest {
  private static byte[] valid() {
    return CmMessage.of(CmKind.RTU, 2, 3).toBytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 24, 255, 257, 4096})
  void refusesAnyLengthBut256(int length) {
    assertThat(CmMessage.decode(Payload.of(new byte[length]))).isEqualTo(MadRefusal.WRONG_LENGTH);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 2, UNKNOWN_BASE_VERSION",
    "1, 4, OTHER_CLASS",
    "2, 1, UNKNOWN_CLASS_VERSION",
    "3, 1, UNKNOWN_METHOD",
    "17, 0x0f, UNKNOWN_ATTRIBUTE",
    "17, 0x1b, UNKNOWN_ATTRIBUTE",
    "16, 0x80, UNKNOWN_ATTRIBUTE",
  })
  void refusesAHeaderThatIsNotThatOfAMessage(int at, String octet, MadRefusal refusal) {
    byte[] mad = valid();
    mad[at] = (byte) (int) Integer.decode(octet);

    assertThat(CmMessage.decode(Payload.of(mad))).isEqualTo(refusal);
    assertThat(refusal.text()).endsWith(".");
  }

  @Test
  void whateverArrivesIsReadAndWrittenAgainWithoutAnException() {
    Random random = new Random(7);
    byte[] mad = new byte[256];
    for (int i = 0; i < 20_000; i++) {
      random.nextBytes(mad);
      ByteBuffer.wrap(mad).putInt(0, 0x01070203).putShort(16, (short) (0x10 + i % 11));

      CmMessage read = (CmMessage) CmMessage.decode(Payload.of(mad));

      assertThat(CmMessage.decode(Payload.of(read.toBytes()))).isEqualTo(read);
      assertThat(read.toString()).startsWith("CM " + read.kind());
    }
  }

  @Test
  void believesNoLengthBeyondTheFieldOfAdditionalInformation() {
    byte[] mad = reject(4).toBytes();
    mad[24 + 9] = (byte) 0xfe;

    CmMessage read = (CmMessage) CmMessage.decode(Payload.of(mad));

    assertThat(read.rejectInfo().length()).isEqualTo(72);
  }

  @Test
  void aReasonWithoutAMeaningSurvives() {
    CmMessage sent = reject(0xfedc);

    CmMessage read = (CmMessage) CmMessage.decode(Payload.of(sent.toBytes()));

    assertThat(read.get(CmField.REJ_REASON)).isEqualTo(0xfedc);
    assertThat(read)
        .hasToString("CM REJ local=0x00000002 remote=0x00000003 of=REQ reason=unknown (65244)");
    assertThat(RejectReason.ofCode(34)).isEmpty();
  }

  /** The codes of {@code IB_CM_REJ_*}. */
  @ParameterizedTest
  @CsvSource({
    "1, NO_QP",
    "4, TIMEOUT",
    "6, INVALID_COMM_ID",
    "8, INVALID_SERVICE_ID",
    "10, STALE_CONN",
    "12, INVALID_GID",
    "18, INVALID_ALT_GID",
    "24, PORT_CM_REDIRECT",
    "28, CONSUMER_DEFINED",
    "33, INVALID_ALT_FLOW_LABEL",
    "35, VENDOR_OPTION_NOT_SUPPORTED",
  })
  void everyReasonHasTheCodeOfLinux(int code, RejectReason reason) {
    assertThat(RejectReason.ofCode(code)).contains(reason);
    assertThat(reason.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({"0, SUCCESS", "1, UNSUPPORTED", "2, REJECT", "3, NO_QP", "4, REDIRECT"})
  void everyStatusHasTheCodeOfLinux(int code, SidrStatus status) {
    assertThat(SidrStatus.ofCode(code)).contains(status);
    assertThat(status.code()).isEqualTo(code);
    assertThat(SidrStatus.ofCode(6)).isEqualTo(Optional.empty());
    assertThat(SidrStatus.textOf(200)).isEqualTo("unknown (200)");
  }

  private static CmMessage reject(int reason) {
    return CmMessage.of(CmKind.REJ, 2, 3).set(CmField.REJ_REASON, reason);
  }

  private static final String ZEROS = "000000000000000000000000";

  /** Version, IP version, source port, source, destination. */
  @ParameterizedTest
  @CsvSource({
    "192.0.2.3, 192.0.2.2, 0040c7b3" + ZEROS + "c0000203" + ZEROS + "c0000202",
    "fd00::3, fd00::2, 0060c7b3"
        + "fd0000000000000000000000"
        + "00000003"
        + "fd0000000000000000000000"
        + "00000002",
  })
  void hasTheLayoutOfLinux(String from, String to, String bytes) throws Exception {
    InetAddress source = InetAddress.getByName(from);
    InetAddress destination = InetAddress.getByName(to);
    CmaHeader header = CmaHeader.of(source, 0xc7b3, destination);
    ImmutableBytes user = ImmutableBytes.of(Hex.bytes("0102"));

    ImmutableBytes all = header.before(user);

    assertThat(all).hasToString(bytes + "0102");
    assertThat(CmaHeader.read(all)).isEqualTo(header);
    assertThat(CmaHeader.userBytes(all)).isEqualTo(user);
    assertThat(header.sourceAddress()).isEqualTo(source);
    assertThat(header.destinationAddress()).isEqualTo(destination);
  }

  @ParameterizedTest
  @CsvSource({"0040, true", "0060, true", "0140, false", "1040, false", "0050, false"})
  void knowsOneVersionAndTwoOfIp(String versions, boolean isKnown) {
    ImmutableBytes bytes = ImmutableBytes.of(Hex.bytes(versions + "00".repeat(90)));

    assertThat(CmaHeader.read(bytes).hasIpAddresses()).isEqualTo(isKnown);
  }

  @Test
  void leavesAProgram56Bytes() throws UnknownHostException {
    InetAddress here = InetAddress.getByName("192.0.2.3");
    ImmutableBytes user = ImmutableBytes.of(new byte[56]);

    assertThat(CmaHeader.of(here, 1, here).before(user).length())
        .isEqualTo(CmField.REQ_PRIVATE_DATA.bytes());
    assertThat(CmField.SIDR_REQ_PRIVATE_DATA.bytes() - CmaHeader.BYTES).isEqualTo(180);
  }

  @ParameterizedTest
  @CsvSource({
    "cm_rdma_client, REQ REP RTU DREQ DREQ DREP",
    "cm_rping, REQ REP RTU DREQ DREP",
  })
  void everyMessageIsUnderstoodAndRewrittenByteForByte(String capture, String kinds) {
    List<Payload> mads = mads(capture);

    List<CmMessage> decoded = mads.stream().map(mad -> (CmMessage) CmMessage.decode(mad)).toList();

    assertThat(decoded)
        .extracting(message -> message.kind().name())
        .containsExactly(kinds.split(" "));
    for (int i = 0; i < mads.size(); i++) {
      assertThat(Payload.of(decoded.get(i).toBytes())).isEqualTo(mads.get(i));
    }
  }

  private static List<Payload> mads(String capture) {
    return RecordedMads.packets(capture).stream().map(Packet::payload).toList();
  }
}

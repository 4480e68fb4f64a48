// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no message is refused, and says why; nothing that arrives throws. */
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
}

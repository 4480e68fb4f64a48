// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PSNs as the responder sees them: in order, behind a gap, seen before, wrapping. */
final class ResponderSequenceTest {
  private EngineFixture us = EngineFixture.ready();

  private void assertAnswers(String script, String left, String receives) {
    assertThat(us.run(script)).isEqualTo(left);

    assertThat(String.join("; ", us.receives())).isEqualTo(receives);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  private void expectFirst(int psn) {
    us = EngineFixture.ready(attr -> attr.rqPsn(psn));
  }

  @Test
  void acknowledgesASendWithItsPsnAndTheMessageCount() {
    us.run("recv 1");

    assertThat(us.receive(us.packet("SEND_ONLY 500"))).containsExactly(us.own().ack(PEER_PSN, 1));
    assertThat(us.receives()).containsExactly("1 RECV 5");
    assertThat(contentOf(us.region())).startsWith(EngineScript.payload(0, 5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          recv 1; quiet SEND_ONLY 500                                | ''         | 1 RECV 5
          # Messages are counted, not packets.
          recv 1; SEND_FIRST 500; SEND_MIDDLE 501; SEND_LAST 502     | ACK 502 #1 | 1 RECV 517
          recv 1; recv 2; SEND_ONLY 500; SEND_ONLY 501 | ACK 500 #1; ACK 501 #2 | 1 RECV 5; 2 RECV 5
          """)
  void acknowledgesWhatAsksForIt(String script, String left, String receives) {
    assertAnswers(script, left, receives);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # One request passes an acknowledgement that waits, not more.
          recv 9; SEND_ONLY 500 & send 1 8 & send 2 & send 3 \
          | SEND_ONLY 100 8; ACK 500 #1; SEND_ONLY 101; SEND_ONLY 102
          # No request may leave while it waits for the receiver.
          recv 9; send 1 8; NAK2c 100 #0 & SEND_ONLY 500 | SEND_ONLY 100 8; ACK 500 #1
          # The first one was alone.
          recv 9; recv 9; SEND_ONLY 500; SEND_ONLY 501 & send 1 8 \
          | ACK 500 #1; SEND_ONLY 100 8; ACK 501 #2
          """)
  void anAcknowledgementLetsOneRequestPass(String script, String left) {
    assertThat(us.run(script)).isEqualTo(left);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          recv 1; SEND_ONLY 501                                | NAK60 500 #0 | ''
          recv 1; SEND_ONLY 501; SEND_ONLY 502; SEND_ONLY 501  | NAK60 500 #0 | ''
          # The missing packet, then another gap.
          recv 1; SEND_ONLY 501; SEND_ONLY 500; SEND_ONLY 502 \
          | NAK60 500 #0; ACK 500 #1; NAK60 501 #1 | 1 RECV 5
          recv 1; recv 2; SEND_ONLY 501; SEND_ONLY 500; SEND_ONLY 501 \
          | NAK60 500 #0; ACK 500 #1; ACK 501 #2 | 1 RECV 5; 2 RECV 5
          # A gap comes before anything else that is wrong.
          SEND_MIDDLE 501                                      | NAK60 500 #0 | ''
          # Again in the next connection.
          SEND_ONLY 501; reset; connect; SEND_ONLY 501         | NAK60 500 #0; NAK60 500 #0 | ''
          # Half of the PSNs are behind, half ahead: 2^23 - 1 more or fewer.
          SEND_ONLY 8389109; SEND_ONLY 8389107                 | ACK 499 #0; NAK60 500 #0 | ''
          """)
  void naksAGapOnce(String script, String left, String receives) {
    assertAnswers(script, left, receives);
  }

  /** A duplicate gets the acknowledgement of the last executed message, asked for or not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          recv 1; recv 2; SEND_ONLY 500; SEND_ONLY 500 | ACK 500 #1; ACK 500 #1 | 1 RECV 5
          recv 1; recv 2; SEND_ONLY 500; SEND_ONLY 501; SEND_ONLY 500 \
          | ACK 500 #1; ACK 501 #2; ACK 501 #2 | 1 RECV 5; 2 RECV 5
          recv 1; SEND_FIRST 500; SEND_FIRST 500; SEND_LAST 501 | ACK 500 #0; ACK 501 #1 \
          | 1 RECV 261
          """)
  void acknowledgesADuplicateAndDoesNotExecuteItAgain(String script, String left, String receives) {
    assertAnswers(script, left, receives);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          recv 1; SEND_FIRST 500; SEND_MIDDLE 501; SEND_FIRST 500             | ACK 501 #0
          WRITE_FIRST 500 @0+768; WRITE_MIDDLE 501; WRITE_FIRST 500 @0+768    | ACK 501 #0
          """)
  void acknowledgesADuplicateInTheMiddleOfAMessageWithWhatItHasOfIt(String script, String left) {
    assertThat(us.run(script)).isEqualTo(left);
  }

  /** An ACK with the PSN of a READ would tell a requester that it has the data. */
  @Test
  void acknowledgesADuplicateNotWithThePsnOfARead() {
    us.run("WRITE_ONLY 500; READ_REQUEST 501 @0+5");

    assertThat(us.run("WRITE_ONLY 500")).isEqualTo("ACK 500 #2");
  }

  @Test
  void placesADuplicateWriteNotAgain() {
    us.run("WRITE_ONLY 500");
    us.region().bytes().put(0, (byte) 0x55);

    us.run("WRITE_ONLY 500");

    assertThat(contentOf(us.region())[0]).isEqualTo((byte) 0x55);
  }

  @Test
  void takesADuplicateInTheMiddleOfAMessage() {
    us.run("recv 1; SEND_FIRST 500; SEND_FIRST 500; SEND_LAST 501 9");

    assertThat(us.receives()).containsExactly("1 RECV " + (MTU + 9));
    assertThat(contentOf(us.region())).startsWith(EngineScript.payload(0, MTU));
    assertThat(TestPayloads.slice(contentOf(us.region()), MTU, 9))
        .isEqualTo(EngineScript.payload(1, 9));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          recv 1; recv 2; recv 3; SEND_ONLY 0xfffffe; SEND_ONLY 0xffffff; SEND_ONLY 0 \
          | ACK 16777214 #1; ACK 16777215 #2; ACK 0 #3
          recv 1; recv 2; recv 3; SEND_ONLY 0xfffffe; SEND_ONLY 0xffffff; SEND_ONLY 0xfffffe \
          | ACK 16777214 #1; ACK 16777215 #2; ACK 16777215 #2
          SEND_ONLY 0  | NAK60 16777214 #0
          """)
  void wrapsAroundAfterTheLargestPsn(String script, String left) {
    expectFirst(0xff_fffe);

    assertThat(us.run(script)).isEqualTo(left);
  }

  @Test
  void knowsADuplicateFromBeforeTheWrap() {
    expectFirst(0xff_ffff);

    assertThat(us.run("recv 1; recv 2; SEND_ONLY 0xffffff; SEND_ONLY 0; SEND_ONLY 0xffffff"))
        .isEqualTo("ACK 16777215 #1; ACK 0 #2; ACK 0 #2");
    assertThat(us.expectedPsn()).isOne();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static io.queuepair.emulator.engine.EngineScript.REMOTE;
import static io.queuepair.emulator.engine.EngineScript.RKEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost READ requests and lost pieces of their answers. */
final class ReadRetryTest {
  /** A READ that is answered by four packets. */
  private static final int LENGTH = 3 * MTU + 10;

  private EngineFixture us = EngineFixture.ready();

  /** The answer packets with the numbers 0 to 3 are written F0, M1, M2, L3; an ONLY packet O3. */
  private String run(String script) {
    StringBuilder packets = new StringBuilder();
    for (String step : script.split("; ?", -1)) {
      String position =
          switch (step.isEmpty() ? ' ' : step.charAt(0)) {
            case 'F' -> "FIRST";
            case 'M' -> "MIDDLE";
            case 'L' -> "LAST";
            case 'O' -> "ONLY";
            default -> null;
          };
      int number = position == null ? 0 : step.charAt(1) - '0';
      packets
          .append(packets.isEmpty() ? "" : "; ")
          .append(
              position == null
                  ? step
                  : "READ_RESPONSE_%s %d %d"
                      .formatted(position, OWN_PSN + number, number == 3 ? 10 : MTU));
    }
    return us.run(packets.toString());
  }

  private void assertComplete() {
    assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
    byte[] data = TestPayloads.pattern(LENGTH, 9);
    assertThat(contentOf(us.region()))
        .isEqualTo(TestPayloads.join(data, new byte[8 * MTU - LENGTH]));
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          timeout                        | READ_REQUEST 100 @0+778
          F0; M1; timeout                | READ_REQUEST 102 @512+266
          F0; M1; M2; timeout            | READ_REQUEST 103 @768+10
          """)
  void asksForWhatIsMissing(String script, String request) {
    us.run("read 1 778");

    assertThat(run(script)).isEqualTo(request);
    assertThat(us.sends()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "F0; M1; M2; L3",
        // The rest begins with FIRST again, or continues.
        "F0; M1; timeout; F2; L3",
        "F0; M1; timeout; M2; L3",
        "F0; M1; M2; timeout; O3",
        "F0; M1; M2; timeout; L3",
        // A gap.
        "F0; M2; L3; timeout; F1; M2; L3",
        "F0; M2; M1; timeout; F2; L3",
        // Answers to both the request and its retry.
        "timeout; F0; F0; M1; M2; M1; L3; M2; L3",
        // All retries are there again with each piece.
        "timeout 2; F0; timeout 2; M1; M2; L3",
      })
  void isCompleteInTheEnd(String script) {
    us.run("read 1 778");

    run(script);

    assertComplete();
  }

  /** Between a gap and the timeout it may ask at once or later; it does ask for what is missing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read 1 778           | F0; M2; L3; timeout                     | READ_REQUEST 101 @256+522
          read 1 778; send 2   | ACK 104 #2; timeout                     | READ_REQUEST 100 @0+778
          read 1 778; read 2 8 | READ_RESPONSE_ONLY 104 8 #2; timeout    | READ_REQUEST 100 @0+778
          """)
  void recoversAMissingPieceFromTheFirstOneMissing(String sent, String script, String request) {
    us.run(sent);

    assertThat(run(script)).contains(request);
    assertThat(us.sends()).isEmpty();
  }

  @Test
  void givesUpAReadAfterAllRetries() {
    us.run("read 1 778; timeout 3");

    assertThat(us.sends()).containsExactly("1 RETRY_EXC_ERR");
  }

  @Test
  void retriesAReadAcrossThePsnWrap() {
    us = EngineFixture.ready(attr -> attr.sqPsn(0xff_ffff));

    assertThat(us.run("read 1 778; READ_RESPONSE_FIRST 0xffffff; timeout"))
        .isEqualTo("READ_REQUEST 16777215 @0+778; READ_REQUEST 0 @256+522");
  }

  /**
   * A READ longer than the window that loses a part of its answer: the specification lets a
   * requester ask again for any part of a READ whose response has not come, so it asks for a window
   * at a time.
   */
  @Nested
  final class LongerThanTheWindow {
    private static final Opcode FIRST = Opcode.RC_RDMA_READ_RESPONSE_FIRST;
    private static final Opcode MIDDLE = Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    private static final Opcode LAST = Opcode.RC_RDMA_READ_RESPONSE_LAST;
    private static final int WINDOW = SendWindowConfig.softRoce().windowPackets();
    private static final int PACKETS = 2 * WINDOW + 10;
    private static final int LENGTH = PACKETS * MTU;

    private final EngineFixture us = EngineFixture.ready();
    private final RegisteredMemory target = us.register(new byte[LENGTH]);

    @BeforeEach
    void readAll() {
      us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 0, LENGTH)));
      assertThat(us.transmit()).containsExactly(request(0, PACKETS));
    }

    private Packet request(int number, int packets) {
      long from = REMOTE + (long) number * MTU;
      return us.own().readRequest(OWN_PSN + number, new Reth(from, RKEY, (long) packets * MTU));
    }

    private Packet answer(Opcode opcode, int number) {
      return us.peer().readResponse(opcode, OWN_PSN + number, 1, new byte[MTU]);
    }

    /** A whole answer to a request for a part; what leaves after each of its packets. */
    private List<Packet> receivePart(int number, int packets) {
      List<Packet> sent = new ArrayList<>(us.receive(answer(FIRST, number)));
      for (int i = 1; i < packets - 1; i++) {
        sent.addAll(us.receive(answer(MIDDLE, number + i)));
      }
      assertThat(sent).as("sent before the part was there").isEmpty();
      return us.receive(answer(LAST, number + packets - 1));
    }

    @Test
    void asksForOneWindowAtATimeAfterALoss() {
      List<Packet> first = us.receive(answer(FIRST, 0), answer(MIDDLE, 2));
      List<Packet> second = receivePart(1, WINDOW - 1);
      List<Packet> third = receivePart(WINDOW, WINDOW);

      assertThat(first).containsExactly(request(1, WINDOW - 1));
      assertThat(second).containsExactly(request(WINDOW, WINDOW));
      assertThat(third).containsExactly(request(2 * WINDOW, 10));
      assertThat(receivePart(2 * WINDOW, 10)).isEmpty();
      assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
    }

    @Test
    void asksForAPartAgainIfItsAnswerIsLost() {
      us.elapse(TIMEOUT_NANOS);
      us.receive(answer(FIRST, 0));

      assertThat(us.elapse(TIMEOUT_NANOS)).containsExactly(request(1, WINDOW - 1));
    }

    /** The part was asked for twice, the second time from later on, as it was late. */
    @Test
    void takesTheEndOfALateAnswerToAPart() {
      us.elapse(TIMEOUT_NANOS);
      us.receive(answer(FIRST, 0), answer(MIDDLE, 1));
      us.elapse(TIMEOUT_NANOS);

      for (int i = 2; i < WINDOW - 1; i++) {
        us.receive(answer(MIDDLE, i));
      }

      assertThat(us.receive(answer(LAST, WINDOW - 1))).containsExactly(request(WINDOW, WINDOW));
    }

    @Test
    void takesNoEndInAnAnswerThatWasAskedForInOnePiece() {
      receivePart(0, WINDOW);

      assertThat(us.sends()).containsExactly("1 BAD_RESP_ERR");
    }

    @Test
    void takesTheFirstAnswerBeyondTheEndOfAPart() {
      us.elapse(TIMEOUT_NANOS);

      us.receive(answer(FIRST, 0));
      for (int i = 1; i < PACKETS - 1; i++) {
        us.receive(answer(MIDDLE, i));
      }
      us.receive(answer(LAST, PACKETS - 1));

      assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
    }

    @Test
    void takesNoEndOfAnAnswerBeforeTheEndOfAPart() {
      us.elapse(TIMEOUT_NANOS);

      us.receive(answer(FIRST, 0), answer(LAST, 1));

      assertThat(us.sends()).containsExactly("1 BAD_RESP_ERR");
    }

    @Test
    void startsWhatFollowsOnlyBehindTheLastPart() {
      us.elapse(TIMEOUT_NANOS);

      us.post(SendWr.send(2));

      assertThat(us.transmit()).isEmpty();
      assertThat(receivePart(0, WINDOW)).containsExactly(request(WINDOW, WINDOW));
      assertThat(EngineFixture.brief(receivePart(WINDOW, WINDOW)))
          .containsExactly(
              "RDMA_READ_REQUEST " + (OWN_PSN + 2 * WINDOW), "SEND_ONLY " + (OWN_PSN + PACKETS));
    }
  }
}

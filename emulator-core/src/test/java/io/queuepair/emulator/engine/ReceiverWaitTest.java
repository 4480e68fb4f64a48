// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a requester does when the peer has no receive posted. */
final class ReceiverWaitTest {
  /** RNR NAK with timer code 12, 0.64 ms. */
  private static final int NOT_READY = 0x20 | 12;

  /** NAK for a PSN sequence error. */
  private static final int MISSING = 0x60;

  private static final long WAIT_NANOS = 640_000;

  private final EngineFixture us = EngineFixture.ready();

  private List<Packet> transmit(SendWr... requests) {
    us.post(requests);
    return us.transmit();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 655360000",
    "1, 10000",
    "2, 20000",
    "12, 640000",
    "25, 61440000",
    "31, 491520000"
  })
  void waitsAsLongAsThePeerSays(int timerCode, long nanos) {
    EngineFixture waiting = EngineFixture.ready(attr -> attr.timeout(0));
    waiting.post(SendWr.send(1));
    waiting.transmit();
    List<Packet> atOnce = waiting.receive(waiting.peer().acknowledge(OWN_PSN, 0x20 | timerCode, 0));

    assertThat(atOnce).isEmpty();
    assertThat(waiting.elapse(nanos - 1)).isEmpty();
    assertThat(waiting.elapse(1)).containsExactly(waiting.own().sendOnly(OWN_PSN, new byte[0]));
  }

  @Test
  void sendsEverythingFromTheRefusedPsnAgain() {
    List<Packet> sent = transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));
    us.receive(us.peer().acknowledge(OWN_PSN + 1, NOT_READY, 1));

    assertThat(us.elapse(WAIT_NANOS)).isEqualTo(sent.subList(1, 3));
    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void sendsNothingNewWhileItWaits() {
    transmit(SendWr.send(1));
    us.receive(us.peer().acknowledge(OWN_PSN, NOT_READY, 0));

    assertThat(transmit(SendWr.send(2))).isEmpty();
    assertThat(brief(us.elapse(WAIT_NANOS))).containsExactly("SEND_ONLY 100", "SEND_ONLY 101");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 6})
  void toleratesRnrRetryRefusals(int rnrRetry) {
    EngineFixture counting = EngineFixture.ready(attr -> attr.rnrRetry(rnrRetry));
    Packet refusal = counting.peer().acknowledge(OWN_PSN, NOT_READY, 0);
    counting.post(SendWr.send(1), SendWr.send(2));
    counting.transmit();
    for (int i = 0; i < rnrRetry; i++) {
      counting.receive(refusal);
      counting.elapse(WAIT_NANOS);
    }
    List<String> early = counting.sends();

    counting.receive(refusal);

    assertThat(early).isEmpty();
    assertThat(counting.sends()).containsExactly("1 RNR_RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(counting.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void toleratesAnyNumberOfRefusalsWithSeven() {
    EngineFixture endless = EngineFixture.ready(attr -> attr.rnrRetry(7));
    endless.post(SendWr.send(1));
    endless.transmit();
    for (int i = 0; i < 200; i++) {
      endless.receive(endless.peer().acknowledge(OWN_PSN, NOT_READY, 0));
      endless.elapse(WAIT_NANOS);
    }

    endless.receive(endless.peer().ack(OWN_PSN, 1));

    assertThat(endless.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void countsARefusalOnceWhenItComesTwice() {
    transmit(SendWr.send(1));
    Packet refusal = us.peer().acknowledge(OWN_PSN, NOT_READY, 0);

    us.receive(refusal, refusal, refusal, refusal);

    assertThat(us.state()).isEqualTo(QpState.RTS);
    assertThat(us.elapse(WAIT_NANOS)).hasSize(1);
  }

  @Test
  void toleratesAllRefusalsAgainAfterProgress() {
    transmit(SendWr.send(1), SendWr.send(2));
    for (int psn = OWN_PSN; psn <= OWN_PSN + 1; psn++) {
      us.receive(us.peer().acknowledge(psn, NOT_READY, psn - OWN_PSN));
      us.elapse(WAIT_NANOS);
      us.receive(us.peer().acknowledge(psn, NOT_READY, psn - OWN_PSN));
      us.elapse(WAIT_NANOS);
    }

    assertThat(us.sends()).containsExactly("1 SEND 0");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void takesNoRetriesForTheTimeItWaits() {
    EngineFixture waiting = EngineFixture.ready(attr -> attr.retryCnt(0));
    waiting.post(SendWr.send(1));
    waiting.transmit();
    waiting.receive(waiting.peer().acknowledge(OWN_PSN, 0x20, 0));

    List<Packet> again = waiting.elapse(655_360_000);
    waiting.receive(waiting.peer().ack(OWN_PSN, 1));

    assertThat(again).hasSize(1);
    assertThat(waiting.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void timesOutAfterTheWaitIfNoAnswerComes() {
    transmit(SendWr.send(1));
    us.receive(us.peer().acknowledge(OWN_PSN, NOT_READY, 0));
    us.elapse(WAIT_NANOS);

    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
    assertThat(us.elapse(1)).hasSize(1);
  }

  @Test
  void keepsRetriesAndRefusalsApart() {
    transmit(SendWr.send(1));
    us.elapse(2 * TIMEOUT_NANOS);
    us.receive(us.peer().acknowledge(OWN_PSN, NOT_READY, 0));
    us.elapse(WAIT_NANOS);
    us.receive(us.peer().acknowledge(OWN_PSN, NOT_READY, 0));
    us.elapse(WAIT_NANOS);

    us.receive(us.peer().ack(OWN_PSN, 1));

    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void takesNoRetriesForAWaitDuringWhichAnAcknowledgementCame() {
    EngineFixture waiting = EngineFixture.ready(attr -> attr.retryCnt(0));
    waiting.post(SendWr.send(1), SendWr.send(2));
    waiting.transmit();

    // The network doubled the first packet; the second copy found a receive.
    waiting.receive(waiting.peer().acknowledge(OWN_PSN, 0x20, 0), waiting.peer().ack(OWN_PSN, 1));
    List<Packet> again = waiting.elapse(655_360_000);

    assertThat(waiting.sends()).containsExactly("1 SEND 0");
    assertThat(brief(again)).containsExactly("SEND_ONLY 101");
    assertThat(waiting.state()).isEqualTo(QpState.RTS);
  }

  /** Linux Soft-RoCE reports what followed a refused packet as missing, instead of dropping it. */
  @Test
  void takesNoRetriesForPacketsReportedMissingWhileItWaits() {
    EngineFixture waiting = EngineFixture.ready(attr -> attr.retryCnt(0));
    waiting.post(SendWr.send(1), SendWr.send(2));
    waiting.transmit();

    List<Packet> early =
        waiting.receive(
            waiting.peer().acknowledge(OWN_PSN, NOT_READY, 0),
            waiting.peer().acknowledge(OWN_PSN, MISSING, 0));
    List<Packet> again = waiting.elapse(WAIT_NANOS);

    assertThat(early).isEmpty();
    assertThat(brief(again)).containsExactly("SEND_ONLY 100", "SEND_ONLY 101");
    assertThat(waiting.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void takesARetryForPacketsReportedMissingAfterItHasWaited() {
    transmit(SendWr.send(1), SendWr.send(2));
    us.receive(us.peer().acknowledge(OWN_PSN, NOT_READY, 0));
    us.elapse(WAIT_NANOS);

    List<Packet> again = us.receive(us.peer().acknowledge(OWN_PSN + 1, MISSING, 1));

    assertThat(brief(again)).containsExactly("SEND_ONLY 101");
  }
}

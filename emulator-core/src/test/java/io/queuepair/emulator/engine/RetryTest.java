// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost requests and lost acknowledgements: when it is tried again, what is sent, how often. */
final class RetryTest {
  private static final int PSN_ERROR = 0x60;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory region = us.register(TestPayloads.pattern(8 * MTU, 1));

  private List<Packet> transmit(SendWr... requests) {
    us.post(requests);
    return us.transmit();
  }

  @Test
  void waitsForTheWholeTimeout() {
    transmit(SendWr.send(1));

    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
  }

  @Test
  void sendsTheSamePacketAgainAfterTheTimeout() {
    List<Packet> sent = transmit(SendWr.send(1, sge(region, 0, 9)));

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent);
  }

  @Test
  void sendsEverythingUnacknowledgedAgain() {
    List<Packet> sent =
        transmit(
            SendWr.send(1, sge(region, 0, 2 * MTU + 1)),
            SendWr.rdmaWrite(2, 0x1000, 5, sge(region, 0, MTU + 1)),
            SendWr.rdmaRead(3, 0x1000, 5, sge(region, 0, 8)));

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent);
  }

  @Test
  void completesOnceAfterALostAcknowledgement() {
    transmit(SendWr.send(1));
    us.elapse(TIMEOUT_NANOS);

    us.receive(us.peer().ack(OWN_PSN, 1), us.peer().ack(OWN_PSN, 1));

    assertThat(us.sends()).containsExactly("1 SEND 0");
    assertThat(us.hasDeadline() && !us.elapse(10 * TIMEOUT_NANOS).isEmpty()).isFalse();
  }

  @Test
  void resumesInsideAMessage() {
    List<Packet> sent = transmit(SendWr.send(1, sge(region, 0, 3 * MTU + 1)));
    us.receive(us.peer().ack(OWN_PSN + 1, 0));

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent.subList(2, 4));
  }

  @Test
  void resumesAWriteInsideTheMessageWithoutANewHeader() {
    List<Packet> sent = transmit(SendWr.rdmaWrite(1, 0x1000, 5, sge(region, 0, 3 * MTU + 1)));
    us.receive(us.peer().ack(OWN_PSN, 0));

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent.subList(1, 4));
  }

  @Test
  void goesBackToThePsnOfASequenceNak() {
    List<Packet> sent = transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));

    List<Packet> again = us.receive(us.peer().acknowledge(OWN_PSN + 1, PSN_ERROR, 1));

    assertThat(again).isEqualTo(sent.subList(1, 3));
    assertThat(us.sends()).containsExactly("1 SEND 0");
  }

  @Test
  void goesBackAcrossThePsnWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.sqPsn(0xff_ffff));
    late.post(SendWr.send(1), SendWr.send(2), SendWr.send(3));
    List<Packet> sent = late.transmit();

    List<Packet> again = late.receive(late.peer().acknowledge(0, PSN_ERROR, 1));

    assertThat(again).isEqualTo(sent.subList(1, 3));
  }

  /** What was sent before it went back counts no more: the window is no larger for it. */
  @Test
  void aLateAcknowledgementMakesNoMoreRoomThanTheWindow() {
    EngineFixture large = EngineFixture.ready(attr -> attr.pathMtu(Mtu.MTU_4096));
    int windowBytes = SendWindowConfig.softRoce().windowBytes();
    int window = windowBytes / Mtu.MTU_4096.bytes();
    large.post(SendWr.send(1, sge(large.register(new byte[4 * windowBytes]))));
    assertThat(large.transmit()).hasSize(window);

    large.deliver(
        large.peer().acknowledge(OWN_PSN, PSN_ERROR, 0), large.peer().ack(OWN_PSN + window - 1, 0));

    assertThat(brief(large.transmit()))
        .hasSize(window)
        .startsWith("SEND_MIDDLE " + (OWN_PSN + window));
  }

  @Test
  void goesBackOnceForEachLoss() {
    transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));
    Packet nak = us.peer().acknowledge(OWN_PSN, PSN_ERROR, 0);
    us.receive(nak);

    assertThat(us.receive(nak, nak)).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void goesBackForTheNextLossAfterProgress() {
    List<Packet> sent = transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));
    us.receive(us.peer().acknowledge(OWN_PSN, PSN_ERROR, 0));

    List<Packet> again = us.receive(us.peer().acknowledge(OWN_PSN + 1, PSN_ERROR, 1));

    assertThat(again).isEqualTo(sent.subList(1, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 6, 7})
  void givesUpAfterRetryCntRetries(int retryCnt) {
    EngineFixture stubborn = EngineFixture.ready(attr -> attr.retryCnt(retryCnt));
    stubborn.post(SendWr.send(1), SendWr.send(2));
    List<Packet> sent = new ArrayList<>(stubborn.transmit());

    sent.addAll(stubborn.elapse((retryCnt + 1) * TIMEOUT_NANOS - 1));
    List<String> early = stubborn.sends();
    sent.addAll(stubborn.elapse(1));

    assertThat(early).isEmpty();
    assertThat(stubborn.sends()).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(sent).hasSize(2 * (retryCnt + 1));
    assertThat(stubborn.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void givesUpOnASequenceNakIfNoRetryIsLeft() {
    EngineFixture impatient = EngineFixture.ready(attr -> attr.retryCnt(0));
    impatient.post(SendWr.send(1), SendWr.send(2));
    impatient.transmit();

    impatient.receive(impatient.peer().acknowledge(OWN_PSN + 1, PSN_ERROR, 1));

    assertThat(impatient.sends()).containsExactly("1 SEND 0", "2 RETRY_EXC_ERR");
  }

  @Test
  void hasAllRetriesAgainAfterProgress() {
    transmit(SendWr.send(1), SendWr.send(2));
    us.elapse(2 * TIMEOUT_NANOS);
    us.receive(us.peer().ack(OWN_PSN, 1));

    us.elapse(3 * TIMEOUT_NANOS - 1);
    List<String> early = us.sends();
    us.elapse(1);

    assertThat(early).containsExactly("1 SEND 0");
    assertThat(us.sends()).containsExactly("2 RETRY_EXC_ERR");
  }

  @Test
  void startsTheTimerAnewWithProgress() {
    transmit(SendWr.send(1), SendWr.send(2));
    us.elapse(TIMEOUT_NANOS - 1);
    us.receive(us.peer().ack(OWN_PSN, 1));

    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
    assertThat(brief(us.elapse(1))).containsExactly("SEND_ONLY 101");
  }

  @Test
  void doesNotPutOffTheTimerWithEverySend() {
    transmit(SendWr.send(1));
    us.elapse(TIMEOUT_NANOS - 1);
    transmit(SendWr.send(2));

    assertThat(brief(us.elapse(1))).containsExactly("SEND_ONLY 100", "SEND_ONLY 101");
  }

  @Test
  void doesNotPutOffTheTimerWithStaleAcknowledgements() {
    transmit(SendWr.send(1), SendWr.send(2));
    us.receive(us.peer().ack(OWN_PSN, 1));
    us.elapse(TIMEOUT_NANOS - 1);
    us.receive(us.peer().ack(OWN_PSN, 1));

    assertThat(brief(us.elapse(1))).containsExactly("SEND_ONLY 101");
  }

  @Test
  void stopsTheTimerWhenEverythingIsAcknowledged() {
    transmit(SendWr.send(1));
    us.receive(us.peer().ack(OWN_PSN, 1));

    assertThat(us.elapse(100 * TIMEOUT_NANOS)).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void waitsForEverWithTimeoutZero() {
    EngineFixture patient = EngineFixture.ready(attr -> attr.timeout(0));
    patient.post(SendWr.send(1));
    patient.transmit();

    assertThat(patient.hasDeadline()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 31})
  void waitsAsLongAsTheTimeoutCodeSays(int code) {
    EngineFixture timed = EngineFixture.ready(attr -> attr.timeout(code));
    timed.post(SendWr.send(1));
    timed.transmit();

    assertThat(timed.elapse((4_096L << code) - 1)).isEmpty();
    assertThat(timed.elapse(1)).hasSize(1);
  }

  @Test
  void completesWhatALateAcknowledgementCoversDuringARetry() {
    transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));
    us.elapse(TIMEOUT_NANOS);

    us.receive(us.peer().ack(OWN_PSN + 2, 3));

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 SEND 0", "3 SEND 0");
    assertThat(brief(transmit(SendWr.send(4)))).containsExactly("SEND_ONLY 103");
  }

  @Test
  void repeatsNothingThatWasAcknowledgedBeforeItsTurnCameAgain() {
    transmit(SendWr.send(1), SendWr.send(2), SendWr.send(3));

    us.deliver(us.peer().acknowledge(OWN_PSN, PSN_ERROR, 0), us.peer().ack(OWN_PSN + 1, 2));

    assertThat(brief(us.transmit())).containsExactly("SEND_ONLY 102");
  }

  @Test
  void numbersNewSendsBehindTheRetriedOnes() {
    transmit(SendWr.send(1), SendWr.send(2));
    us.elapse(TIMEOUT_NANOS);

    assertThat(brief(transmit(SendWr.send(3)))).containsExactly("SEND_ONLY 102");
  }

  @Test
  void readsTheMemoryAgainForARetry() {
    byte[] expected = TestPayloads.fill(4, 0x42);
    transmit(SendWr.send(1, sge(region, 0, 4)));
    region.bytes().put(0, expected);

    assertThat(us.elapse(TIMEOUT_NANOS)).containsExactly(us.own().sendOnly(OWN_PSN, expected));
  }

  @Test
  void sendsTheSameOpcodesInARetryOfAMessageWithImmediate() {
    List<Packet> sent = transmit(SendWr.sendWithImm(1, 0xcafe, sge(region, 0, MTU + 1)));

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent);
    assertThat(sent.get(1).opcode()).isEqualTo(Opcode.RC_SEND_LAST_WITH_IMM);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static io.queuepair.emulator.engine.EngineScript.REMOTE;
import static io.queuepair.emulator.engine.EngineScript.RKEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.AckPolicy;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which packets ask for an acknowledgement, and what becomes of those that do not. One
 * acknowledgement covers all earlier packets (IBTA vol. 1, 9.7.5.1.2); what was not asked for is
 * not timed (9.7.6.1.3). The first PSN is 100, the peer's 500.
 */
final class AckRequestTest {
  private static final int EVERY = 8;
  private static final long UNASKED_NANOS = 10_000;
  private static final long REPEAT_NANOS = 100_000;

  private final EngineFixture us = EngineFixture.readyWithCredits();

  private static SendWr write(SendFlag... flags) {
    return SendWr.rdmaWrite(0, REMOTE, RKEY).withFlags(flags);
  }

  private static SendWr send(SendFlag... flags) {
    return SendWr.send(0).withFlags(flags);
  }

  /** Posts requests, all of which leave together. */
  private List<Packet> transmit(SendWr... requests) {
    us.post(requests);
    return us.transmit();
  }

  private static List<Integer> asking(List<Packet> packets) {
    return packets.stream().filter(Packet::asksForAck).map(Packet::psn).toList();
  }

  private static List<Integer> psns(List<Packet> packets) {
    return packets.stream().map(Packet::psn).toList();
  }

  private static SendWr[] times(int count, SendWr request) {
    return IntStream.range(0, count).mapToObj(i -> request).toArray(SendWr[]::new);
  }

  @Test
  void asksAtEachEighthUnsignaledMessage() {
    assertThat(asking(transmit(times(2 * EVERY + 1, write())))).containsExactly(107, 115);
  }

  @Test
  void asksAtTheEndOfEverySignaledMessage() {
    assertThat(asking(transmit(write(), write(SendFlag.SIGNALED), write(SendFlag.SIGNALED))))
        .containsExactly(101, 102);
  }

  /** In one window there are that many packets, by their number or their bytes. */
  @ParameterizedTest
  @CsvSource({"4, 1048576", "1024, 1024", "1024, 1100"})
  void asksTwiceInASmallWindow(int windowPackets, int windowBytes) {
    AckPolicy policy = SendWindowConfig.standard().acks();
    EngineFixture small =
        EngineFixture.readyWith(
            new SendWindowConfig(windowPackets, windowBytes, policy, 64, 1 << 20, 1, true));
    Sge data = sge(small.register(new byte[10 * MTU]));
    small.post(SendWr.rdmaWrite(0, REMOTE, RKEY, data).withFlags());

    assertThat(asking(small.transmit())).containsExactly(101, 103);
    assertThat(small.receive(small.packet("ACK 103"))).isNotEmpty();
  }

  @Test
  void anEarlierRequestForAnAcknowledgementCounts() {
    List<Packet> packets = transmit(write(), write(), write(SendFlag.SIGNALED));
    packets.addAll(transmit(times(EVERY, write())));

    assertThat(asking(packets)).containsExactly(102, 110);
  }

  @Test
  void asksBeforeARequestThatWaits() {
    assertThat(asking(transmit(write(), write(SendFlag.FENCE), write()))).containsExactly(100);
  }

  /** Its response acknowledges all before, so that the count begins again. */
  @Test
  void aReadCountsAsARequestForAnAcknowledgement() {
    transmit(times(3, write()));
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(us.region(), 0, 8)));

    assertThat(asking(transmit(times(EVERY, write())))).containsExactly(103, 111);
  }

  @Test
  void asksBeforeAReadThatFollowsAtOnce() {
    SendWr read = SendWr.rdmaRead(1, REMOTE, RKEY, sge(us.region(), 0, 8));

    assertThat(asking(transmit(write(), write(), read))).containsExactly(101, 102);
  }

  @Test
  void asksBeforeARead() {
    assertThat(psns(transmit(write(), write()))).containsExactly(100, 101);

    assertThat(us.run("silent 1 & read 2 8")).isEqualTo("SEND_ONLY 102; READ_REQUEST 103 @0+8");
    us.run("ACK 102");
    assertThat(us.run("READ_RESPONSE_ONLY 103 8")).isEmpty();
    assertThat(us.sends()).containsExactly("2 RDMA_READ 8");
  }

  @Test
  void asksForWhatWasSentWhenTheQueueIsDrained() {
    transmit(write(), write());

    us.enter(QpState.SQD);
    List<Packet> repeated = us.transmit();

    assertThat(psns(repeated)).containsExactly(101);
    assertThat(asking(repeated)).containsExactly(101);
  }

  @Test
  void asksForWhatWasSentBeforeAMigration() {
    transmit(write(), write());

    us.migrate();
    List<Packet> repeated = us.transmit();

    assertThat(psns(repeated)).containsExactly(101);
    assertThat(asking(repeated)).containsExactly(101);
  }

  /** 32 packets without AckReq are the most. */
  @Test
  void theEndOfALongMessageAsksWhileTheQueueIsDrained() {
    us.post(SendWr.rdmaWrite(0, REMOTE, RKEY, sge(us.register(new byte[40 * MTU]))).withFlags());
    us.transmitOne();

    us.enter(QpState.SQD);

    assertThat(asking(us.transmit())).containsExactly(131, 139);
  }

  @Test
  void asksBeforeAnInvalidation() {
    us.run("bind 1 silent");

    us.post(write());

    assertThat(us.run("invalidate 2")).isEqualTo("WRITE_ONLY 100 @0+0");
    assertThat(us.run("ACK 100")).isEmpty();
    assertThat(us.sends()).containsExactly("2 LOCAL_INV 0");
  }

  @Test
  void asksBeforeAVerb() {
    us.post(write(), write());

    us.beginVerb();

    assertThat(asking(us.transmit())).containsExactly(100, 101);
  }

  /** The message was under way when the peer broke a rule; the NAK has not left. */
  @Test
  void asksForNothingInTheErrorState() {
    us.post(SendWr.rdmaWrite(0, REMOTE, RKEY, sge(us.region())).withFlags());
    us.transmitOne();
    us.deliver(us.packet("SEND_MIDDLE 500"));
    assertThat(us.state()).isEqualTo(QpState.ERR);

    us.beginVerb();

    assertThat(EngineScript.text(us.transmit())).isEqualTo("NAK61 500 #0");
  }

  @Test
  void asksForWhatWasSentWhenAnInvalidationWaits() {
    us.run("bind 1 silent");
    transmit(write());

    assertThat(us.run("invalidate 2")).isEqualTo("WRITE_ONLY 100 @0+0");
    us.run("ACK 100");
    assertThat(us.sends()).containsExactly("2 LOCAL_INV 0");
  }

  /** Codes of credits 1, 2 and 16 of the specification. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "8, 16"})
  void theLastMessageThatCreditsLetGoAsks(int code, int credits) {
    us.run("send 0; NAK" + Integer.toHexString(code) + " 100");

    List<Packet> packets = transmit(times(20, send()));

    assertThat(packets).hasSize(credits + 1);
    assertThat(asking(packets)).endsWith(100 + credits + 1);
  }

  /** Few are fewer than four. Sixteen are left after PSN 100, and three after the thirteenth. */
  @Test
  void everyMessageAsksWhileCreditsAreFew() {
    us.run("send 0; NAK8 100");

    assertThat(asking(transmit(times(20, send())))).containsExactly(108, 113, 114, 115, 116, 117);
  }

  @Test
  void whatTakesNoReceiveNeedsNoCredits() {
    us.run("send 0; NAK0 100");

    assertThat(asking(transmit(write(), write()))).isEmpty();
  }

  /** The signaled one asks, so that the last of 32 is none of the eighth ones. */
  @Test
  void theLastMessageThatFitsIntoTheSendQueueAsks() {
    transmit(write(SendFlag.SIGNALED));
    List<Packet> packets = transmit(times(30, write()));
    packets.addAll(transmit(write()));

    assertThat(asking(packets)).endsWith(131);
  }

  /** At most four of 32 slots are free from the 28th message on. */
  @Test
  void everyMessageAsksWhileFewSlotsAreFree() {
    List<Packet> packets = transmit(write(SendFlag.SIGNALED));
    for (int i = 1; i < 32; i++) {
      packets.addAll(transmit(write()));
    }

    assertThat(asking(packets)).containsExactly(100, 108, 116, 124, 127, 128, 129, 130, 131);
  }

  @Test
  void repeatsItsLastPacketAndAsksAfterTheTime() {
    assertThat(asking(transmit(times(3, write())))).isEmpty();

    assertThat(us.elapse(REPEAT_NANOS - 1)).isEmpty();
    List<Packet> repeated = us.elapse(1);

    assertThat(psns(repeated)).containsExactly(102);
    assertThat(asking(repeated)).containsExactly(102);
    us.run("ACK 102");
    assertThat(us.hasDeadline()).isFalse();
    assertThat(asking(transmit(write()))).isEmpty();
  }

  /** While an acknowledgement is due, no time passes for what was sent after it was asked for. */
  @Test
  void theTimeBeginsWhenNoAcknowledgementIsDue() {
    transmit(write(), write(SendFlag.SIGNALED), write());
    us.elapse(REPEAT_NANOS);

    assertThat(us.run("ACK 101; wait " + (REPEAT_NANOS - 1))).isEmpty();
    assertThat(asking(transmit(write()))).isEmpty();
    assertThat(psns(us.elapse(1))).containsExactly(103);
  }

  @Test
  void aSignaledMessageIsTimedFromItsFirstPacketOn() {
    us.post(SendWr.rdmaWrite(0, REMOTE, RKEY, sge(us.region())));
    us.transmitOne();

    assertThat(us.elapse(REPEAT_NANOS)).isEmpty();
    assertThat(us.hasDeadline()).isTrue();
  }

  @Test
  void anUnsignaledReadIsTimed() {
    us.post(SendWr.rdmaRead(0, REMOTE, RKEY, sge(us.region(), 0, 8)).withFlags());
    us.transmit();

    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
    assertThat(psns(us.elapse(1))).containsExactly(100);
  }

  @Test
  void repeatsTheLastPacketBeforeABind() {
    transmit(write());
    us.run("bind 1 silent");

    assertThat(psns(us.elapse(REPEAT_NANOS))).containsExactly(100);
  }

  /** The memory of the last message is gone when it is to be sent again. */
  @Test
  void repeatsWhatItCanBeforeAPacketThatItCannot() {
    RegisteredMemory region = us.region();
    transmit(write(), SendWr.rdmaWrite(1, REMOTE, RKEY, sge(region, 0, 1)).withFlags());
    us.deregister(region);

    List<Packet> repeated = us.elapse(REPEAT_NANOS);

    assertThat(psns(repeated)).containsExactly(100);
    assertThat(asking(repeated)).containsExactly(100);
    us.deliver(us.packet("ACK 100"));
    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void nothingIsTimedInTheErrorState() {
    transmit(write(SendFlag.SIGNALED), write());

    us.enter(QpState.ERR);

    assertThat(us.hasDeadline()).isFalse();
  }

  @Test
  void nothingIsRepeatedInTheErrorState() {
    transmit(write());

    us.enter(QpState.ERR);

    assertThat(us.hasDeadline()).isFalse();
  }

  @Test
  void theTimeBeginsAgainWithAnAcknowledgement() {
    transmit(times(EVERY + 2, write()));
    us.elapse(REPEAT_NANOS / 2);

    us.run("ACK 107");

    assertThat(us.elapse(REPEAT_NANOS - 1)).isEmpty();
    assertThat(psns(us.elapse(1))).containsExactly(109);
    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
  }

  /** A key of the second one is wrong, so that only its first packet leaves. */
  @Test
  void repeatsThePacketBeforeOneThatCannotBeMade() {
    RegisteredMemory region = us.region();
    Sge nothing = new Sge(region.addr(), 1, region.key() + 1);
    SendWr half = SendWr.rdmaWrite(1, REMOTE, RKEY, sge(region, 0, MTU), nothing);
    assertThat(psns(transmit(write(), half.withFlags()))).containsExactly(100, 101);

    List<Packet> repeated = us.elapse(REPEAT_NANOS);

    assertThat(EngineScript.text(repeated)).isEqualTo("WRITE_FIRST 101 256 @0+257");
    assertThat(asking(repeated)).containsExactly(101);
    us.run("ACK 101");
    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  /** The last of three packets, which takes a receive, is refused. */
  @Test
  void repeatsNothingWhileItWaitsForTheReceiver() {
    Sge data = sge(us.region(), 0, 2 * MTU + 1);
    transmit(SendWr.rdmaWriteWithImm(0, REMOTE, RKEY, 7, data).withFlags());

    assertThat(us.run("NAK2c 102; wait 639999")).isEmpty();
    assertThat(psns(us.elapse(1))).containsExactly(102);
  }

  /** The packet and its repetition are lost: the timer runs from the repetition on. */
  @Test
  void onlyWhatWasAskedForIsTimed() {
    transmit(times(2, write()));
    us.elapse(REPEAT_NANOS);

    assertThat(us.elapse(TIMEOUT_NANOS - 1)).isEmpty();
    List<Packet> all = us.elapse(1);

    assertThat(psns(all)).containsExactly(100, 101);
    assertThat(asking(all)).contains(101);
    us.run("ACK 101");
    assertThat(us.hasDeadline()).isFalse();
  }

  /** RETRY_CNT is 2: only the timeouts count. */
  @Test
  void theRepetitionIsNoRetry() {
    transmit(write());
    us.elapse(REPEAT_NANOS);

    us.elapse(2 * TIMEOUT_NANOS);

    assertThat(us.state()).isEqualTo(QpState.RTS);
    us.elapse(TIMEOUT_NANOS);
    assertThat(us.sends()).containsExactly("0 RETRY_EXC_ERR");
  }

  @Test
  void acknowledgesUnaskedAfterEightMessages() {
    for (int psn = 500; psn < 507; psn++) {
      assertThat(us.run("quiet WRITE_ONLY " + psn)).isEmpty();
    }

    assertThat(us.run("quiet WRITE_ONLY 507")).isEqualTo("ACK 507 #8");
    assertThat(us.hasDeadline()).isFalse();
  }

  @Test
  void acknowledgesUnaskedTenMicrosecondsAfterTheFirst() {
    us.run("quiet WRITE_ONLY 500");
    us.elapse(UNASKED_NANOS / 2);
    us.run("quiet WRITE_ONLY 501");

    assertThat(us.elapse(UNASKED_NANOS / 2 - 1)).isEmpty();
    assertThat(EngineScript.text(us.elapse(1))).isEqualTo("ACK 501 #2");
    assertThat(us.hasDeadline()).isFalse();
  }

  @Test
  void countsAMessageWhenItEnds() {
    us.run("quiet WRITE_FIRST 500 @0+300");
    assertThat(us.hasDeadline()).isFalse();

    us.run("quiet WRITE_LAST 501 44");
    assertThat(EngineScript.text(us.elapse(UNASKED_NANOS))).isEqualTo("ACK 501 #1");
  }

  /** The NAK covers all before. */
  @Test
  void acknowledgesNothingAfterItsOwnNak() {
    us.run("quiet WRITE_ONLY 500");

    assertThat(us.run("SEND_MIDDLE 501")).isEqualTo("NAK61 501 #1");
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(us.hasDeadline()).isFalse();
  }

  /** Its own send fails: Linux acknowledged at once what arrived before. */
  @ParameterizedTest
  @ValueSource(strings = {"quiet WRITE_ONLY 500; NAK62 100", "WRITE_ONLY 500 & NAK62 100"})
  void acknowledgesWhatHasArrivedBeforeItsSendFails(String arrivals) {
    us.run("write 1");

    assertThat(us.run(arrivals)).isEqualTo("ACK 500 #1");
    assertThat(us.sends()).containsExactly("1 REM_ACCESS_ERR");
    assertThat(us.hasDeadline()).isFalse();
  }

  /** Its packet cannot be made when it is to leave, and nothing else is to be sent. */
  @Test
  void acknowledgesWhatHasArrivedBeforeAPacketThatCannotBeMade() {
    us.run("quiet WRITE_ONLY 500");
    us.post(SendWr.rdmaWrite(1, REMOTE, RKEY, new Sge(0, 1, us.region().key() + 1)));

    assertThat(EngineScript.text(us.transmit())).isEqualTo("ACK 500 #1");
    assertThat(us.sends()).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  void theResponseToAReadAcknowledgesAllBefore() {
    us.run("quiet WRITE_ONLY 500");

    assertThat(us.run("READ_REQUEST 501 @0+8")).isEqualTo("READ_RESPONSE_ONLY 501 8 #2");
    assertThat(us.hasDeadline()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "reset"})
  void acknowledgesWhatHasArrivedBeforeItsEnd(String end) {
    assertThat(us.run("quiet WRITE_ONLY 500; " + end)).isEqualTo("ACK 500 #1");
  }

  @Test
  void acknowledgesWhatHasArrivedBeforeItIsDestroyed() {
    us.run("quiet WRITE_ONLY 500");

    us.destroy();

    assertThat(EngineScript.text(us.transmit())).isEqualTo("ACK 500 #1");
  }

  @Test
  void softRoceAsksForEveryMessageAndAcknowledgesNothingUnasked() {
    EngineFixture linux = EngineFixture.ready();
    linux.post(times(3, write()));
    assertThat(asking(linux.transmit())).containsExactly(100, 101, 102);
    linux.run("ACK 102");

    assertThat(linux.run("quiet WRITE_ONLY 500")).isEmpty();
    assertThat(linux.hasDeadline()).isFalse();
  }
}

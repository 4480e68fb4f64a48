// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What each state takes from the network, and that RESET begins again. */
final class ConnectionStateTest {
  private static final byte[] HELLO = TestPayloads.pattern(5, 1);

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory region = us.register(new byte[4 * MTU]);

  @Test
  void answersRequestsBeforeItMaySend() {
    EngineFixture early = EngineFixture.readyToReceive();
    early.postReceive(1, sge(early.register(new byte[64])));

    List<Packet> replies = early.receive(early.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(early.own().ack(PEER_PSN, 1));
    assertThat(early.receives()).containsExactly("1 RECV 5");
  }

  @Test
  void tellsOnceThatThePeerHasSpoken() {
    EngineFixture early = EngineFixture.readyToReceive();
    early.postReceive(1);
    early.postReceive(2);

    early.receive(
        early.peer().sendOnly(PEER_PSN, new byte[0]),
        early.peer().sendOnly(PEER_PSN + 1, new byte[0]));

    assertThat(early.events()).containsExactly(EventType.COMM_EST);
  }

  @Test
  void takesNoResponseBeforeItMaySend() {
    EngineFixture early = EngineFixture.readyToReceive();

    early.receive(early.peer().ack(OWN_PSN, 0));

    assertThat(early.drops(DropReason.WRONG_QP_STATE)).isOne();
    assertThat(early.events()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "ERR"})
  void takesNothing(QpState state) {
    us.postReceive(1, sge(region));
    us.enter(state);
    us.receives();

    List<Packet> replies =
        us.receive(us.peer().sendOnly(PEER_PSN, HELLO), us.peer().ack(OWN_PSN, 0));

    assertThat(replies).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_QP_STATE)).isEqualTo(2);
  }

  /**
   * The application may have polled the receive already; without an answer the peer would retry.
   */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "ERR"})
  void acknowledgesWhatWasReceivedBefore(QpState state) {
    us.postReceive(1, sge(region));
    us.deliver(us.peer().sendOnly(PEER_PSN, HELLO));

    us.enter(state);

    assertThat(us.transmit()).containsExactly(us.own().ack(PEER_PSN, 1));
  }

  @Test
  void takesNothingInInit() {
    us.enter(QpState.RESET);
    us.enter(QpState.INIT);
    us.postReceive(1, sge(region));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).isEmpty();
    assertThat(us.receives()).isEmpty();
  }

  @Test
  void takesNothingFromAStranger() {
    us.postReceive(1, sge(region));

    List<Packet> replies = us.receive(us.stranger().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_PEER)).isOne();
  }

  @Test
  void takesNothingForAnUnknownQueuePair() {
    PacketMaker lost = new PacketMaker(us.peer().route(), us.peer().destQpn() + 1);

    assertThat(us.receive(lost.sendOnly(PEER_PSN, HELLO))).isEmpty();
    assertThat(us.drops(DropReason.NO_SUCH_QP)).isOne();
  }

  @Test
  void takesNothingOfAnotherPartition() {
    us.postReceive(1, sge(region));
    Bth bth = Bth.of(Opcode.RC_SEND_ONLY, us.peer().destQpn(), PEER_PSN).withPkey(0x8001);

    us.receive(new Packet(us.peer().route(), bth, List.of(), Payload.of(HELLO)));

    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(DropReason.BAD_PKEY)).isOne();
  }

  @Test
  void takesALimitedMemberOfItsPartition() {
    us.postReceive(1, sge(region));
    Bth bth = Bth.of(Opcode.RC_SEND_ONLY, us.peer().destQpn(), PEER_PSN).withPkey(0x7fff);

    us.receive(new Packet(us.peer().route(), bth, List.of(), Payload.of(HELLO)));

    assertThat(us.receives()).containsExactly("1 RECV 5");
  }

  @Test
  void takesNothingOfAnotherService() {
    us.postReceive(1, sge(region));

    us.receive(us.peer().of(Opcode.UC_SEND_ONLY, PEER_PSN, HELLO));
    us.receive(us.peer().of(Opcode.UD_SEND_ONLY, PEER_PSN, HELLO, new Deth(1, 2)));

    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_SERVICE)).isEqualTo(2);
  }

  @Test
  void flushesASendPostedInError() {
    us.enter(QpState.ERR);

    us.post(SendWr.send(1).withFlags());

    assertThat(us.sends()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(us.transmit()).isEmpty();
  }

  @Test
  void flushesAReceivePostedInError() {
    us.enter(QpState.ERR);

    us.postReceive(1, sge(region));

    assertThat(us.receives()).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  void flushesWhatIsQueuedInOrder() {
    us.postReceive(10, sge(region));
    us.postReceive(11, sge(region));
    us.post(SendWr.send(1), SendWr.send(2).withFlags(), SendWr.send(3));
    us.transmit();

    us.enter(QpState.ERR);

    assertThat(us.sends()).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
    assertThat(us.receives()).containsExactly("10 WR_FLUSH_ERR", "11 WR_FLUSH_ERR");
  }

  @Test
  void flushesSendsThatHaveNotLeft() {
    us.post(SendWr.send(1), SendWr.send(2));

    us.enter(QpState.ERR);

    assertThat(us.transmit()).isEmpty();
    assertThat(us.sends()).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  void flushesTheReceiveOfAMessageHalfArrived() {
    us.postReceive(1, sge(region));
    us.postReceive(2, sge(region));
    us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]));

    us.enter(QpState.ERR);

    assertThat(us.receives()).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  void sendsNoAnswersAfterAnErrorOfItsOwn() {
    us.deliver(us.peer().readRequest(PEER_PSN, EngineFixture.reth(region, 0, 3L * MTU)));

    us.enter(QpState.ERR);

    assertThat(us.transmit()).isEmpty();
  }

  @Test
  void triesNothingAgainInError() {
    us.post(SendWr.send(1));
    us.transmit();

    us.enter(QpState.ERR);

    assertThat(us.elapse(10 * TIMEOUT_NANOS)).isEmpty();
    assertThat(us.sends()).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  void forgetsEverythingInReset() {
    us.postReceive(10, sge(region));
    us.post(SendWr.send(1));
    us.transmit();

    us.enter(QpState.RESET);

    assertThat(us.sends()).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.elapse(10 * TIMEOUT_NANOS)).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RESET);
  }

  private void assertWorksFromTheStart() {
    us.postReceive(20, sge(region));
    us.post(SendWr.send(30));
    assertThat(brief(us.transmit())).containsExactly("SEND_ONLY " + OWN_PSN);
    List<Packet> replies =
        us.receive(us.peer().ack(OWN_PSN, 1), us.peer().sendOnly(PEER_PSN, HELLO));
    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
    assertThat(us.sends()).containsExactly("30 SEND 0");
    assertThat(us.receives()).containsExactly("20 RECV 5");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void beginsAnewAfterReset() {
    us.postReceive(10, sge(region));
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    us.post(SendWr.send(1), SendWr.send(2));
    us.transmit();

    us.enter(QpState.RESET);
    us.receives();
    us.connect();

    assertWorksFromTheStart();
  }

  @Test
  void beginsAnewAfterAFailedSend() {
    us.post(SendWr.send(1));
    us.transmit();
    us.receive(us.peer().acknowledge(OWN_PSN, 0x62, 0));

    us.enter(QpState.RESET);
    us.transmit();
    assertThat(us.state()).isEqualTo(QpState.RESET);
    us.connect();

    assertWorksFromTheStart();
  }

  @Test
  void staysReadyToReceiveAfterASendThatFailedInItsFormerLife() {
    us.post(SendWr.send(1));
    us.transmit();
    us.receive(us.peer().acknowledge(OWN_PSN, 0x62, 0));
    us.enter(QpState.RESET);
    us.connectToReceive();
    us.postReceive(2);

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, new byte[0]));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
    assertThat(us.state()).isEqualTo(QpState.RTR);
  }

  @Test
  void beginsAnewAfterARefusedRequest() {
    us.receive(us.peer().of(Opcode.RC_SEND_MIDDLE, PEER_PSN, new byte[MTU]));

    us.enter(QpState.RESET);
    us.transmit();
    assertThat(us.state()).isEqualTo(QpState.RESET);
    us.connect();

    assertWorksFromTheStart();
  }

  @Test
  void beginsAnewInTheMiddleOfAMessage() {
    us.postReceive(10, sge(region));
    us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]));

    us.enter(QpState.RESET);
    us.connect();

    assertWorksFromTheStart();
  }

  @Test
  void beginsAnewWhileItWaitsForTheReceiver() {
    us.post(SendWr.send(1));
    us.transmit();
    us.receive(us.peer().acknowledge(OWN_PSN, 0x20, 0));

    us.enter(QpState.RESET);
    us.connect();

    assertWorksFromTheStart();
  }

  @Test
  void beginsAnewAfterARefusedReceiver() {
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    us.enter(QpState.RESET);
    us.connect();

    assertWorksFromTheStart();
  }

  @Test
  void acknowledgesWhatItReceivedAlthoughItIsDestroyed() {
    us.postReceive(1, sge(region));
    us.deliver(us.peer().sendOnly(PEER_PSN, HELLO));

    us.destroy();

    assertThat(us.receives()).isEmpty();
    assertThat(us.transmit()).containsExactly(us.own().ack(PEER_PSN, 1));
  }

  @Test
  void acknowledgesForEachQueuePairThatIsDestroyed() {
    us.postReceive(1, sge(region));
    us.deliver(us.peer().sendOnly(PEER_PSN, HELLO));
    us.destroy();

    us.createAnother();
    us.postReceive(1, sge(region));
    us.postReceive(2, sge(region));
    us.deliver(us.peer().sendOnly(PEER_PSN, HELLO), us.peer().sendOnly(PEER_PSN + 1, HELLO));
    us.destroy();

    assertThat(us.transmit())
        .containsExactly(us.own().ack(PEER_PSN, 1), us.own().ack(PEER_PSN + 1, 2));
  }
}

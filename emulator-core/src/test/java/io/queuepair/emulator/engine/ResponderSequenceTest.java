// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PSNs as the responder sees them: in order, behind a gap, seen before, wrapping. */
final class ResponderSequenceTest {
  private static final int PSN_ERROR = 0x60;

  /** With timer code 12. */
  private static final int RNR_NAK = 0x2c;

  private static final byte[] HELLO = TestPayloads.pattern(5, 1);

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory inbox = us.register(new byte[4 * MTU]);

  private void postReceives(int count) {
    for (int i = 0; i < count; i++) {
      us.postReceive(i, sge(inbox));
    }
  }

  @Test
  void acknowledgesASendWithItsPsnAndTheMessageCount() {
    postReceives(1);

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
    assertThat(us.receives()).containsExactly("0 RECV 5");
  }

  @Test
  void answersOnlyPacketsThatAskForIt() {
    postReceives(1);

    List<Packet> replies = us.receive(us.peer().quiet(Opcode.RC_SEND_ONLY, PEER_PSN, HELLO));

    assertThat(replies).isEmpty();
    assertThat(us.receives()).containsExactly("0 RECV 5");
  }

  @Test
  void anAcknowledgementLetsOneRequestPass() {
    postReceives(1);
    us.deliver(us.peer().sendOnly(PEER_PSN, HELLO));
    for (int i = 0; i < 3; i++) {
      us.post(SendWr.send(i, sge(inbox, 0, 8)));
    }

    assertThat(EngineFixture.brief(us.transmit()))
        .containsExactly(
            "SEND_ONLY " + OWN_PSN,
            "ACKNOWLEDGE " + PEER_PSN,
            "SEND_ONLY " + (OWN_PSN + 1),
            "SEND_ONLY " + (OWN_PSN + 2));
  }

  @Test
  void anAcknowledgementDoesNotWaitForARequestThatMayNotLeave() {
    postReceives(1);
    us.post(SendWr.send(0, sge(inbox, 0, 8)));
    us.transmit();
    us.deliver(us.peer().acknowledge(OWN_PSN, RNR_NAK, 0), us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(EngineFixture.brief(us.transmit())).containsExactly("ACKNOWLEDGE " + PEER_PSN);
  }

  @Test
  void anAcknowledgementThatWasAloneLetsTheNextOneDoTheSame() {
    postReceives(2);
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    us.deliver(us.peer().sendOnly(PEER_PSN + 1, HELLO));
    us.post(SendWr.send(0, sge(inbox, 0, 8)));

    assertThat(EngineFixture.brief(us.transmit()))
        .containsExactly("SEND_ONLY " + OWN_PSN, "ACKNOWLEDGE " + (PEER_PSN + 1));
  }

  @Test
  void countsMessagesNotPackets() {
    postReceives(2);

    List<Packet> replies =
        us.receive(
            us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]),
            us.peer().of(Opcode.RC_SEND_MIDDLE, PEER_PSN + 1, new byte[MTU]),
            us.peer().of(Opcode.RC_SEND_LAST, PEER_PSN + 2, HELLO),
            us.peer().sendOnly(PEER_PSN + 3, HELLO));

    assertThat(replies)
        .containsExactly(us.own().ack(PEER_PSN + 2, 1), us.own().ack(PEER_PSN + 3, 2));
  }

  @Test
  void naksAGapWithTheExpectedPsn() {
    postReceives(1);

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, PSN_ERROR, 0));
    assertThat(us.receives()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void naksAGapOnce() {
    postReceives(1);
    us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));

    List<Packet> replies =
        us.receive(
            us.peer().sendOnly(PEER_PSN + 2, HELLO), us.peer().sendOnly(PEER_PSN + 1, HELLO));

    assertThat(replies).isEmpty();
  }

  @Test
  void naksTheNextGapAfterAPacketInOrder() {
    postReceives(3);
    us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN + 2, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN + 1, PSN_ERROR, 1));
  }

  @Test
  void executesTheMissingPacketWhenItComes() {
    postReceives(2);
    us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));

    us.receive(us.peer().sendOnly(PEER_PSN, HELLO), us.peer().sendOnly(PEER_PSN + 1, HELLO));

    assertThat(us.receives()).containsExactly("0 RECV 5", "1 RECV 5");
  }

  @Test
  void naksAGapBeforeAnythingElseIsWrong() {
    List<Packet> replies =
        us.receive(us.peer().of(Opcode.RC_SEND_MIDDLE, PEER_PSN + 1, new byte[MTU]));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, PSN_ERROR, 0));
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void acknowledgesADuplicateSendWithoutExecutingItAgain() {
    postReceives(2);
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    us.receives();

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
    assertThat(us.receives()).isEmpty();
  }

  @Test
  void acknowledgesADuplicateWithTheLastPsnExecuted() {
    postReceives(3);
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO), us.peer().sendOnly(PEER_PSN + 1, HELLO));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN + 1, 2));
  }

  /** Whether the packets asked for an acknowledgement does not matter. */
  @Test
  void acknowledgesADuplicateInTheMiddleOfAMessageWithWhatItHasOfIt() {
    postReceives(1);
    Packet first = us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]);
    us.receive(first, us.peer().of(Opcode.RC_SEND_MIDDLE, PEER_PSN + 1, new byte[MTU]));

    List<Packet> replies = us.receive(first);

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN + 1, 0));
  }

  @Test
  void acknowledgesADuplicateWriteInTheMiddleOfAMessageWithWhatItHasOfIt() {
    Packet first =
        us.peer().of(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN, new byte[MTU], reth(inbox, 0, 3 * MTU));
    us.receive(first, us.peer().of(Opcode.RC_RDMA_WRITE_MIDDLE, PEER_PSN + 1, new byte[MTU]));

    List<Packet> replies = us.receive(first);

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN + 1, 0));
  }

  /** An ACK with the PSN of a READ would tell a requester that it has the data. */
  @Test
  void acknowledgesADuplicateNotWithThePsnOfARead() {
    Packet write = us.peer().writeOnly(PEER_PSN, reth(inbox, 0, 5), HELLO);
    us.receive(write, us.peer().readRequest(PEER_PSN + 1, reth(inbox, 0, 5)));

    List<Packet> replies = us.receive(write);

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 2));
  }

  @Test
  void placesADuplicateWriteNotAgain() {
    Packet write = us.peer().writeOnly(PEER_PSN, reth(inbox, 0, 5), HELLO);
    us.receive(write);
    inbox.bytes().put(0, (byte) 0x55);

    us.receive(write);

    assertThat(contentOf(inbox)[0]).isEqualTo((byte) 0x55);
  }

  @Test
  void takesADuplicateInTheMiddleOfAMessage() {
    postReceives(1);
    byte[] message = TestPayloads.pattern(MTU + 9, 3);
    Packet first =
        us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, TestPayloads.slice(message, 0, MTU));
    Packet last =
        us.peer().of(Opcode.RC_SEND_LAST, PEER_PSN + 1, TestPayloads.slice(message, MTU, 9));

    us.receive(first, first, last);

    assertThat(us.receives()).containsExactly("0 RECV " + (MTU + 9));
    assertThat(TestPayloads.slice(contentOf(inbox), 0, MTU + 9)).isEqualTo(message);
  }

  @Test
  void wrapsAroundAfterTheLargestPsn() {
    EngineFixture late = EngineFixture.ready(attr -> attr.rqPsn(0xff_fffe));
    RegisteredMemory region = late.register(new byte[MTU]);
    for (int i = 0; i < 3; i++) {
      late.postReceive(i, sge(region));
    }

    List<Packet> replies =
        late.receive(
            late.peer().sendOnly(0xff_fffe, HELLO),
            late.peer().sendOnly(0xff_ffff, HELLO),
            late.peer().sendOnly(0, HELLO));

    assertThat(replies)
        .containsExactly(
            late.own().ack(0xff_fffe, 1), late.own().ack(0xff_ffff, 2), late.own().ack(0, 3));
    assertThat(late.expectedPsn()).isEqualTo(1);
  }

  @Test
  void knowsADuplicateFromBeforeTheWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.rqPsn(0xff_ffff));
    RegisteredMemory region = late.register(new byte[MTU]);
    late.postReceive(0, sge(region));
    late.postReceive(1, sge(region));
    late.receive(late.peer().sendOnly(0xff_ffff, HELLO), late.peer().sendOnly(0, HELLO));

    List<Packet> replies = late.receive(late.peer().sendOnly(0xff_ffff, HELLO));

    assertThat(replies).containsExactly(late.own().ack(0, 2));
  }

  @Test
  void naksAGapAcrossTheWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.rqPsn(0xff_ffff));

    List<Packet> replies = late.receive(late.peer().sendOnly(0, HELLO));

    assertThat(replies).containsExactly(late.own().acknowledge(0xff_ffff, PSN_ERROR, 0));
  }

  @Test
  void takesHalfThePsnsAsAheadAndHalfAsBehind() {
    int farAhead = PEER_PSN + 0x7f_ffff;
    int farBehind = PEER_PSN + 0x80_0001;

    List<Packet> replies =
        us.receive(us.peer().sendOnly(farBehind, HELLO), us.peer().sendOnly(farAhead, HELLO));

    assertThat(replies)
        .containsExactly(
            us.own().ack(PEER_PSN - 1, 0), us.own().acknowledge(PEER_PSN, PSN_ERROR, 0));
  }

  @Test
  void naksAGapOfTheNextConnectionAlthoughTheLastOneEndedWithOne() {
    us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));

    us.enter(QpState.RESET);
    us.connect();
    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, PSN_ERROR, 0));
  }
}

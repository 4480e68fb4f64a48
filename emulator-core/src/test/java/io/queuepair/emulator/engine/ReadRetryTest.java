// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lost READ requests and lost pieces of their answers. */
final class ReadRetryTest {
  private static final Opcode FIRST = Opcode.RC_RDMA_READ_RESPONSE_FIRST;
  private static final Opcode MIDDLE = Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
  private static final Opcode LAST = Opcode.RC_RDMA_READ_RESPONSE_LAST;
  private static final Opcode ONLY = Opcode.RC_RDMA_READ_RESPONSE_ONLY;
  private static final long REMOTE = 0x7fff_0000_1000L;
  private static final int RKEY = 0x1234;
  private static final int LENGTH = 3 * MTU + 10;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory target = us.register(new byte[8 * MTU]);
  private final byte[] data = TestPayloads.pattern(LENGTH, 9);

  private void read() {
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 0, LENGTH)));
    us.transmit();
  }

  /** The answer packet with a number from 0, in the position it is said to have. */
  private Packet answer(Opcode opcode, int number) {
    int from = number * MTU;
    return us.peer()
        .readResponse(
            opcode,
            OWN_PSN + number,
            1,
            TestPayloads.slice(data, from, Math.min(MTU, LENGTH - from)));
  }

  private Packet request(int number) {
    int skipped = number * MTU;
    return us.own()
        .readRequest(OWN_PSN + number, new Reth(REMOTE + skipped, RKEY, LENGTH - skipped));
  }

  private void assertComplete() {
    assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
    assertThat(TestPayloads.slice(contentOf(target), 0, LENGTH)).isEqualTo(data);
    assertThat(TestPayloads.slice(contentOf(target), LENGTH, 8 * MTU - LENGTH)).containsOnly(0);
  }

  @Test
  void asksForTheWholeAgainIfNothingCame() {
    read();

    assertThat(us.elapse(TIMEOUT_NANOS)).containsExactly(request(0));
  }

  @Test
  void asksForTheRestIfAPartCame() {
    read();
    us.receive(answer(FIRST, 0), answer(MIDDLE, 1));

    assertThat(us.elapse(TIMEOUT_NANOS)).containsExactly(request(2));
  }

  @Test
  void takesAnAnswerToTheRestThatIsNumberedAnew() {
    read();
    us.receive(answer(FIRST, 0), answer(MIDDLE, 1));
    us.elapse(TIMEOUT_NANOS);

    us.receive(answer(FIRST, 2), answer(LAST, 3));

    assertComplete();
  }

  @Test
  void takesAnAnswerToTheRestThatGoesOnAsBefore() {
    read();
    us.receive(answer(FIRST, 0), answer(MIDDLE, 1));
    us.elapse(TIMEOUT_NANOS);

    us.receive(answer(MIDDLE, 2), answer(LAST, 3));

    assertComplete();
  }

  @Test
  void takesOnlyAsAnswerToTheLastPiece() {
    read();
    us.receive(answer(FIRST, 0), answer(MIDDLE, 1), answer(MIDDLE, 2));
    List<Packet> again = us.elapse(TIMEOUT_NANOS);

    us.receive(answer(ONLY, 3));

    assertThat(again).containsExactly(request(3));
    assertComplete();
  }

  @Test
  void takesLastAsAnswerToTheLastPiece() {
    read();
    us.receive(answer(FIRST, 0), answer(MIDDLE, 1), answer(MIDDLE, 2));
    us.elapse(TIMEOUT_NANOS);

    us.receive(answer(LAST, 3));

    assertComplete();
  }

  @Test
  void recoversAMissingPieceFromTheFirstOneMissing() {
    read();

    List<Packet> again = new ArrayList<>(us.receive(answer(FIRST, 0), answer(MIDDLE, 2)));
    again.addAll(us.receive(answer(LAST, 3)));
    again.addAll(us.elapse(TIMEOUT_NANOS));

    assertThat(again).contains(request(1));
    assertThat(us.sends()).isEmpty();
    us.receive(answer(FIRST, 1), answer(MIDDLE, 2), answer(LAST, 3));
    assertComplete();
  }

  @Test
  void survivesAnswersToBothTheOriginalAndTheRetry() {
    read();
    us.elapse(TIMEOUT_NANOS);

    us.receive(
        answer(FIRST, 0),
        answer(FIRST, 0),
        answer(MIDDLE, 1),
        answer(MIDDLE, 2),
        answer(MIDDLE, 1),
        answer(LAST, 3),
        answer(MIDDLE, 2),
        answer(LAST, 3));

    assertComplete();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void asksAgainIfALaterSendIsAcknowledgedButTheReadIsNotAnswered() {
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 0, LENGTH)), SendWr.send(2));
    us.transmit();

    List<Packet> again = new ArrayList<>(us.receive(us.peer().ack(OWN_PSN + 4, 2)));
    again.addAll(us.elapse(TIMEOUT_NANOS));

    assertThat(again).contains(request(0));
    assertThat(us.sends()).isEmpty();
  }

  @Test
  void asksAgainForTheFirstReadIfOnlyTheSecondIsAnswered() {
    us.post(
        SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 0, LENGTH)),
        SendWr.rdmaRead(2, REMOTE, RKEY, sge(target, 0, 8)));
    us.transmit();

    List<Packet> again =
        new ArrayList<>(us.receive(us.peer().readResponse(ONLY, OWN_PSN + 4, 2, new byte[8])));
    again.addAll(us.elapse(TIMEOUT_NANOS));

    assertThat(again).contains(request(0));
    assertThat(us.sends()).isEmpty();
  }

  @Test
  void givesUpAReadAfterAllRetries() {
    read();

    us.elapse(3 * TIMEOUT_NANOS);

    assertThat(us.sends()).containsExactly("1 RETRY_EXC_ERR");
  }

  @Test
  void hasAllRetriesAgainWithEveryPieceThatComes() {
    read();
    us.elapse(2 * TIMEOUT_NANOS);
    us.receive(answer(FIRST, 0));

    us.elapse(2 * TIMEOUT_NANOS);
    us.receive(answer(MIDDLE, 1), answer(MIDDLE, 2), answer(LAST, 3));

    assertComplete();
  }

  @Test
  void retriesAReadAcrossThePsnWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.sqPsn(0xff_ffff));
    RegisteredMemory sink = late.register(new byte[LENGTH]);
    late.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(sink)));
    late.transmit();
    late.receive(late.peer().readResponse(FIRST, 0xff_ffff, 1, TestPayloads.slice(data, 0, MTU)));

    List<Packet> again = late.elapse(TIMEOUT_NANOS);

    assertThat(again)
        .containsExactly(late.own().readRequest(0, new Reth(REMOTE + MTU, RKEY, LENGTH - MTU)));
  }

  @Test
  void takesTheAnswerToWhatItAskedForAlthoughMoreCameMeanwhile() {
    read();
    us.deliver(answer(FIRST, 0), answer(MIDDLE, 2), answer(MIDDLE, 1));
    List<Packet> again = new ArrayList<>(us.transmit());
    again.addAll(us.elapse(TIMEOUT_NANOS));

    us.receive(answer(FIRST, 2), answer(LAST, 3));

    assertThat(again).contains(request(2));
    assertComplete();
  }
}

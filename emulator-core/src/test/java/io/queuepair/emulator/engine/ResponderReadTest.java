// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How READs are answered, and what may overtake what. */
final class ResponderReadTest {
  private static final Opcode FIRST = Opcode.RC_RDMA_READ_RESPONSE_FIRST;
  private static final Opcode MIDDLE = Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
  private static final Opcode LAST = Opcode.RC_RDMA_READ_RESPONSE_LAST;
  private static final Opcode ONLY = Opcode.RC_RDMA_READ_RESPONSE_ONLY;
  private static final int LENGTH = 2 * MTU + 10;

  private final EngineFixture us = EngineFixture.ready();
  private final byte[] content = TestPayloads.pattern(4 * MTU, 1);
  private final RegisteredMemory region = us.register(content);

  private byte[] part(int from, int length) {
    return TestPayloads.slice(content, from, length);
  }

  /** The answer to a READ of {@link #LENGTH} bytes from the start of the region. */
  private List<Packet> wholeAnswer(int psn, int msn) {
    return List.of(
        us.own().readResponse(FIRST, psn, msn, part(0, MTU)),
        us.own().readResponse(MIDDLE, psn + 1, msn, part(MTU, MTU)),
        us.own().readResponse(LAST, psn + 2, msn, part(2 * MTU, 10)));
  }

  @Test
  void answersAShortReadWithOnePacket() {
    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN, reth(region, 3, MTU)));

    assertThat(replies).containsExactly(us.own().readResponse(ONLY, PEER_PSN, 1, part(3, MTU)));
  }

  @Test
  void answersAReadOfTwoPacketsWithFirstAndLast() {
    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, MTU + 1)));

    assertThat(replies)
        .containsExactly(
            us.own().readResponse(FIRST, PEER_PSN, 1, part(0, MTU)),
            us.own().readResponse(LAST, PEER_PSN + 1, 1, part(MTU, 1)));
  }

  @Test
  void answersALongReadInPsnOrder() {
    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));

    assertThat(replies).isEqualTo(wholeAnswer(PEER_PSN, 1));
  }

  @Test
  void expectsTheNextRequestBehindThePsnsOfTheAnswer() {
    us.deliver(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));

    assertThat(us.expectedPsn()).isEqualTo(PEER_PSN + 3);
  }

  @Test
  void takesTheAnswerAcrossThePsnWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.rqPsn(0xff_ffff));
    RegisteredMemory source = late.register(content);

    List<Packet> replies =
        late.receive(late.peer().readRequest(0xff_ffff, reth(source, 0, LENGTH)));

    assertThat(EngineFixture.brief(replies))
        .containsExactly(
            "RDMA_READ_RESPONSE_FIRST 16777215",
            "RDMA_READ_RESPONSE_MIDDLE 0",
            "RDMA_READ_RESPONSE_LAST 1");
    assertThat(late.expectedPsn()).isEqualTo(2);
  }

  @Test
  void readsBeforeALaterWriteThatArrivesWithTheRequest() {
    us.deliver(
        us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)),
        us.peer().writeOnly(PEER_PSN + 3, reth(region, 0, MTU), TestPayloads.fill(MTU, 0xee)));

    List<Packet> replies = us.transmit();

    List<Packet> expected = new ArrayList<>(wholeAnswer(PEER_PSN, 1));
    expected.add(us.own().ack(PEER_PSN + 3, 2));
    assertThat(replies).isEqualTo(expected);
    assertThat(TestPayloads.slice(contentOf(region), 0, MTU)).containsOnly(0xee);
  }

  @Test
  void readsBeforeALaterWriteThatArrivesWhileItIsAnswering() {
    List<Packet> replies = new ArrayList<>();
    us.deliver(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));
    replies.add(us.transmitOne());

    us.deliver(us.peer().writeOnly(PEER_PSN + 3, reth(region, 2 * MTU, 10), new byte[10]));
    replies.addAll(us.transmit());

    List<Packet> expected = new ArrayList<>(wholeAnswer(PEER_PSN, 1));
    expected.add(us.own().ack(PEER_PSN + 3, 2));
    assertThat(replies).isEqualTo(expected);
    assertThat(TestPayloads.slice(contentOf(region), 2 * MTU, 10)).containsOnly(0);
  }

  @Test
  void readsAfterAnEarlierWrite() {
    List<Packet> replies =
        us.receive(
            us.peer().writeOnly(PEER_PSN, reth(region, 0, 4), TestPayloads.fill(4, 0xee)),
            us.peer().readRequest(PEER_PSN + 1, reth(region, 0, 4)));

    assertThat(replies)
        .containsExactly(
            us.own().ack(PEER_PSN, 1),
            us.own().readResponse(ONLY, PEER_PSN + 1, 2, TestPayloads.fill(4, 0xee)));
  }

  @Test
  void answersReadsAndSendsInTheOrderOfTheirRequests() {
    us.postReceive(1, sge(us.register(new byte[64])));
    us.deliver(
        us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)),
        us.peer().sendOnly(PEER_PSN + 3, new byte[8]),
        us.peer().readRequest(PEER_PSN + 4, reth(region, 0, 8)));

    List<String> replies = EngineFixture.brief(us.transmit());

    assertThat(replies)
        .containsExactly(
            "RDMA_READ_RESPONSE_FIRST 500",
            "RDMA_READ_RESPONSE_MIDDLE 501",
            "RDMA_READ_RESPONSE_LAST 502",
            "ACKNOWLEDGE 503",
            "RDMA_READ_RESPONSE_ONLY 504");
  }

  @Test
  void stopsInTheMiddleIfTheKeyIsGone() {
    us.deliver(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));
    Packet first = us.transmitOne();
    us.deregister(region);

    List<Packet> rest = us.transmit();

    assertThat(first).isEqualTo(wholeAnswer(PEER_PSN, 1).get(0));
    assertThat(rest).containsExactly(us.own().acknowledge(PEER_PSN + 1, 0x62, 1));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void answersADuplicateReadAgain() {
    Packet request = us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH));
    us.receive(request);

    List<Packet> replies = us.receive(request);

    assertThat(replies).isEqualTo(wholeAnswer(PEER_PSN, 1));
    assertThat(us.expectedPsn()).isEqualTo(PEER_PSN + 3);
  }

  /** What waits for the end of the answer does not keep the peer from asking again. */
  @Test
  void answersADuplicateReadAtOnceAlthoughARequestWaits() {
    Packet request = us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH));
    us.deliver(request);
    us.transmitOne();
    us.deliver(us.peer().writeOnly(PEER_PSN + 3, reth(region, 0, 4), new byte[4]), request);

    List<Packet> replies = us.transmit();

    List<Packet> expected = new ArrayList<>(wholeAnswer(PEER_PSN, 1));
    expected.add(us.own().ack(PEER_PSN + 3, 2));
    assertThat(replies).isEqualTo(expected);
  }

  /** In the place of the first answer: what follows has to wait for it. */
  @Test
  void answersADuplicateReadBeforeALaterOne() {
    us.deliver(
        us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)),
        us.peer().readRequest(PEER_PSN + 3, reth(region, 0, 8)));
    us.transmitOne();

    us.deliver(us.peer().readRequest(PEER_PSN + 1, reth(region, MTU, MTU)));

    assertThat(EngineFixture.brief(us.transmit()))
        .containsExactly("RDMA_READ_RESPONSE_ONLY 501", "RDMA_READ_RESPONSE_ONLY 503");
  }

  @Test
  void readsTheMemoryAgainForADuplicate() {
    Packet request = us.peer().readRequest(PEER_PSN, reth(region, 0, 4));
    us.receive(request);
    region.bytes().put(0, TestPayloads.fill(4, 0x33));

    List<Packet> replies = us.receive(request);

    assertThat(replies)
        .containsExactly(us.own().readResponse(ONLY, PEER_PSN, 1, TestPayloads.fill(4, 0x33)));
  }

  @Test
  void numbersTheAnswerToAPartialRetryAnew() {
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));

    List<Packet> replies =
        us.receive(us.peer().readRequest(PEER_PSN + 1, reth(region, MTU, LENGTH - MTU)));

    assertThat(replies)
        .containsExactly(
            us.own().readResponse(FIRST, PEER_PSN + 1, 1, part(MTU, MTU)),
            us.own().readResponse(LAST, PEER_PSN + 2, 1, part(2 * MTU, 10)));
  }

  @Test
  void answersARetryOfTheLastPacketWithOnly() {
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));

    List<Packet> replies =
        us.receive(us.peer().readRequest(PEER_PSN + 2, reth(region, 2 * MTU, 10)));

    assertThat(replies)
        .containsExactly(us.own().readResponse(ONLY, PEER_PSN + 2, 1, part(2 * MTU, 10)));
  }

  @Test
  void takesNewRequestsAfterARetry() {
    Packet read = us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH));
    us.receive(read, read);

    List<Packet> replies =
        us.receive(us.peer().writeOnly(PEER_PSN + 3, reth(region, 0, 4), new byte[4]));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN + 3, 2));
  }

  @Test
  void ignoresARetryOfAReadThatNeverWas() {
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, 8)));

    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN - 1, reth(region, 0, 8)));

    assertThat(replies).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void ignoresARetryThatAsksForMoreThanTheOriginal() {
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, 8)));

    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, 9)));

    assertThat(replies).isEmpty();
  }

  @Test
  void ignoresARetryWithAnotherKey() {
    RegisteredMemory other = us.register(new byte[64]);
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, 8)));

    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN, reth(other, 0, 8)));

    assertThat(replies).isEmpty();
  }

  @Test
  void checksTheKeyOfARetryAgain() {
    Packet request = us.peer().readRequest(PEER_PSN, reth(region, 0, 8));
    us.receive(request);
    us.deregister(region);

    List<Packet> replies = us.receive(request);

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, 0x62, 1));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void answersARetryWhileItIsStillAnsweringFromTheRetriedPsnOn() {
    Packet request = us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH));
    us.deliver(request);
    us.transmitOne();

    us.deliver(request);

    assertThat(us.transmit()).endsWith(wholeAnswer(PEER_PSN, 1).toArray(Packet[]::new));
  }

  @Test
  void remembersAsManyReadsAsMayBeOutstanding() {
    Packet older = us.peer().readRequest(PEER_PSN, reth(region, 0, 8));
    Packet newer = us.peer().readRequest(PEER_PSN + 1, reth(region, 8, 8));
    us.receive(older, newer);

    List<Packet> replies = us.receive(older, newer);

    assertThat(replies)
        .containsExactly(
            us.own().readResponse(ONLY, PEER_PSN, 2, part(0, 8)),
            us.own().readResponse(ONLY, PEER_PSN + 1, 2, part(8, 8)));
  }

  @Test
  void servesNewReadsWhileItAnswersOldOnesAgain() {
    Packet first = us.peer().readRequest(PEER_PSN, reth(region, 0, 8));
    Packet second = us.peer().readRequest(PEER_PSN + 1, reth(region, 8, 8));
    us.receive(first, second);
    us.elapse(1_000);

    // The answers were late: the peer had asked again when it got them and continued.
    us.deliver(
        first,
        second,
        us.peer().readRequest(PEER_PSN + 2, reth(region, 16, 8)),
        us.peer().readRequest(PEER_PSN + 3, reth(region, 24, 8)));

    assertThat(us.transmit())
        .contains(
            us.own().readResponse(ONLY, PEER_PSN + 2, 4, part(16, 8)),
            us.own().readResponse(ONLY, PEER_PSN + 3, 4, part(24, 8)));
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  /** Memory for requests that wait is bounded, whatever a peer sends behind a long READ. */
  @Test
  void keepsSomeRequestsBehindAReadAndDropsTheRest() {
    int kept = 256;
    us.deliver(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));

    for (int i = 0; i < kept + 10; i++) {
      us.deliver(us.peer().writeOnly(PEER_PSN + 3 + i, reth(region, 0, 1), new byte[1]));
    }

    assertThat(us.drops(DropReason.OUT_OF_ORDER)).isEqualTo(10);
    assertThat(us.transmit()).last().isEqualTo(us.own().ack(PEER_PSN + 2 + kept, 1 + kept));
    assertThat(us.expectedPsn()).isEqualTo(PEER_PSN + 3 + kept);
  }

  /** As many as MAX_DEST_RD_ATOMIC lets be outstanding, which is 2 here. */
  @Test
  void answersAsManyAgainAtATimeAsMayBeOutstanding() {
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, 4L * MTU)));

    us.deliver(
        us.peer().readRequest(PEER_PSN + 3, reth(region, 3 * MTU, MTU)),
        us.peer().readRequest(PEER_PSN + 2, reth(region, 2 * MTU, MTU)),
        us.peer().readRequest(PEER_PSN + 1, reth(region, MTU, MTU)));

    assertThat(us.transmit())
        .containsExactly(
            us.own().readResponse(ONLY, PEER_PSN + 3, 1, part(3 * MTU, MTU)),
            us.own().readResponse(ONLY, PEER_PSN + 2, 1, part(2 * MTU, MTU)));
    assertThat(us.drops(DropReason.DUPLICATE)).isEqualTo(1);
  }

  /** The same range by a key that is not the one of the READ: answers belong to requests. */
  @Test
  void ignoresARetryOfTheSameRangeWithAnotherKey() {
    us.receive(us.peer().readRequest(PEER_PSN, reth(region, 0, 8)));
    Reth otherKey = new Reth(region.addr(), region.key() + 1, 8);

    List<Packet> replies = us.receive(us.peer().readRequest(PEER_PSN, otherKey));

    assertThat(replies).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void answersNoReadOfAnEarlierConnection() {
    Packet request = us.peer().readRequest(PEER_PSN, reth(region, 0, 8));
    us.receive(request);

    us.enter(QpState.RESET);
    us.connect(EngineFixture.defaults().rqPsn(PEER_PSN + 1));

    assertThat(us.receive(request)).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }
}

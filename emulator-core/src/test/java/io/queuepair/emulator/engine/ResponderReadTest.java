// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How READs are answered, and what may overtake what. */
final class ResponderReadTest {
  private static final Opcode FIRST = Opcode.RC_RDMA_READ_RESPONSE_FIRST;
  private static final Opcode MIDDLE = Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
  private static final Opcode LAST = Opcode.RC_RDMA_READ_RESPONSE_LAST;
  private static final Opcode ONLY = Opcode.RC_RDMA_READ_RESPONSE_ONLY;
  private static final int LENGTH = 2 * MTU + 10;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory region = us.region();
  private final byte[] content = TestPayloads.pattern(8 * MTU, 1);

  @BeforeEach
  void fill() {
    region.bytes().put(0, content);
  }

  private byte[] part(int from, int length) {
    return TestPayloads.slice(content, from, length);
  }

  /** The answer to a READ of {@link #LENGTH} bytes from the start of the region. */
  private List<Packet> wholeAnswer() {
    return List.of(
        us.own().readResponse(FIRST, PEER_PSN, 1, part(0, MTU)),
        us.own().readResponse(MIDDLE, PEER_PSN + 1, 1, part(MTU, MTU)),
        us.own().readResponse(LAST, PEER_PSN + 2, 1, part(2 * MTU, 10)));
  }

  private List<Packet> wholeAnswerAnd(Packet next) {
    List<Packet> expected = new ArrayList<>(wholeAnswer());
    expected.add(next);
    return expected;
  }

  private Packet request(int psn, int offset, long length) {
    return us.peer().readRequest(psn, reth(region, offset, length));
  }

  @Test
  void answersInPsnOrder() {
    assertThat(us.receive(request(PEER_PSN, 0, LENGTH))).isEqualTo(wholeAnswer());
    assertThat(us.expectedPsn()).isEqualTo(PEER_PSN + 3);
    assertThat(us.receive(request(PEER_PSN + 3, 3, MTU)))
        .containsExactly(us.own().readResponse(ONLY, PEER_PSN + 3, 2, part(3, MTU)));
    us.elapse(1_000);
    assertThat(us.receive(request(PEER_PSN + 4, 0, MTU + 1)))
        .containsExactly(
            us.own().readResponse(FIRST, PEER_PSN + 4, 3, part(0, MTU)),
            us.own().readResponse(LAST, PEER_PSN + 5, 3, part(MTU, 1)));
  }

  @Test
  void takesTheAnswerAcrossThePsnWrap() {
    EngineFixture late = EngineFixture.ready(attr -> attr.rqPsn(0xff_ffff));

    assertThat(late.run("READ_REQUEST 0xffffff @0+522"))
        .isEqualTo(
            "READ_RESPONSE_FIRST 16777215 256 #1; READ_RESPONSE_MIDDLE 0 256; "
                + "READ_RESPONSE_LAST 1 10 #1");
    assertThat(late.expectedPsn()).isEqualTo(2);
  }

  @Test
  void readsBeforeALaterWriteThatArrivesWithTheRequest() {
    us.deliver(
        request(PEER_PSN, 0, LENGTH),
        us.peer().writeOnly(PEER_PSN + 3, reth(region, 0, MTU), TestPayloads.fill(MTU, 0xee)));

    assertThat(us.transmit()).isEqualTo(wholeAnswerAnd(us.own().ack(PEER_PSN + 3, 2)));
    assertThat(TestPayloads.slice(contentOf(region), 0, MTU)).containsOnly(0xee);
  }

  @Test
  void readsBeforeALaterWriteThatArrivesWhileItIsAnswering() {
    List<Packet> replies = new ArrayList<>();
    us.deliver(request(PEER_PSN, 0, LENGTH));
    replies.add(us.transmitOne());

    us.deliver(us.peer().writeOnly(PEER_PSN + 3, reth(region, 2 * MTU, 10), new byte[10]));
    replies.addAll(us.transmit());

    assertThat(replies).isEqualTo(wholeAnswerAnd(us.own().ack(PEER_PSN + 3, 2)));
    assertThat(TestPayloads.slice(contentOf(region), 2 * MTU, 10)).containsOnly(0);
  }

  @Test
  void readsAfterAnEarlierWriteAndTheMemoryAgainForADuplicate() {
    byte[] written = TestPayloads.fill(4, 0xee);
    Packet read = request(PEER_PSN + 1, 0, 4);

    assertThat(us.receive(us.peer().writeOnly(PEER_PSN, reth(region, 0, 4), written), read))
        .containsExactly(
            us.own().ack(PEER_PSN, 1), us.own().readResponse(ONLY, PEER_PSN + 1, 2, written));

    region.bytes().put(0, TestPayloads.fill(4, 0x33));
    assertThat(us.receive(read))
        .containsExactly(us.own().readResponse(ONLY, PEER_PSN + 1, 2, TestPayloads.fill(4, 0x33)));
  }

  @Test
  void stopsInTheMiddleIfTheKeyIsGone() {
    us.deliver(request(PEER_PSN, 0, LENGTH));
    Packet first = us.transmitOne();
    us.deregister(region);

    assertThat(first).isEqualTo(wholeAnswer().get(0));
    assertThat(us.transmit()).containsExactly(us.own().acknowledge(PEER_PSN + 1, 0x62, 1));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  /** A READ of 522 bytes, a retry of all or a part of it, and what answers that. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          READ_REQUEST 500 @0+522   | READ_RESPONSE_FIRST 500 256 #1; \
          READ_RESPONSE_MIDDLE 501 256; READ_RESPONSE_LAST 502 10 #1
          READ_REQUEST 501 @256+266 | READ_RESPONSE_FIRST 501 256 #1; READ_RESPONSE_LAST 502 10 #1
          READ_REQUEST 502 @512+10  | READ_RESPONSE_ONLY 502 10 #1
          # One that never was, one that asks for more, and those with another address or key.
          READ_REQUEST 499 @0+8     | ''
          READ_REQUEST 500 @0+523   | ''
          READ_REQUEST 501 @255+8   | ''
          """)
  void answersARetryOfAPart(String retry, String answer) {
    us.receive(request(PEER_PSN, 0, LENGTH));

    assertThat(us.run(retry)).isEqualTo(answer);
    assertThat(us.run("WRITE_ONLY 503")).isEqualTo("ACK 503 #2");
  }

  /** Of the same or of another range: answers belong to requests. */
  @Test
  void ignoresARetryWithAnotherKey() {
    RegisteredMemory other = us.register(new byte[64]);
    us.receive(request(PEER_PSN, 0, 8));
    Reth otherKey = new Reth(region.addr(), region.key() + 1, 8);

    assertThat(us.receive(us.peer().readRequest(PEER_PSN, reth(other, 0, 8)))).isEmpty();
    assertThat(us.receive(us.peer().readRequest(PEER_PSN, otherKey))).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void checksTheKeyOfARetryAgain() {
    us.receive(request(PEER_PSN, 0, 8));
    us.deregister(region);

    assertThat(us.receive(request(PEER_PSN, 0, 8)))
        .containsExactly(us.own().acknowledge(PEER_PSN, 0x62, 1));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # In the order of requests.
          READ_REQUEST 500 @0+257 & SEND_ONLY 502 & READ_REQUEST 503 @0+8 \
          | READ_RESPONSE_FIRST 500 256 #3; READ_RESPONSE_LAST 501 1 #3; ACK 502 #3; \
          READ_RESPONSE_ONLY 503 8 #3
          # As many as may be outstanding are remembered.
          READ_REQUEST 500 @0+8; READ_REQUEST 501 @8+8; READ_REQUEST 500 @0+8; \
          READ_REQUEST 501 @8+8 \
          | READ_RESPONSE_ONLY 500 8 #1; READ_RESPONSE_ONLY 501 8 #2; \
          READ_RESPONSE_ONLY 500 8 #2; READ_RESPONSE_ONLY 501 8 #2
          # What waits for the end of the answer does not keep the peer from asking again.
          READ_REQUEST 500 @0+522 & one & WRITE_ONLY 503 & READ_REQUEST 500 @0+522 \
          | READ_RESPONSE_FIRST 500 256 #1; READ_RESPONSE_FIRST 500 256 #1; \
          READ_RESPONSE_MIDDLE 501 256; READ_RESPONSE_LAST 502 10 #1; ACK 503 #2
          # In the place of the first answer: what follows has to wait for it.
          READ_REQUEST 500 @0+522 & READ_REQUEST 503 @0+8 & one & READ_REQUEST 501 @256+256 \
          | READ_RESPONSE_FIRST 500 256 #2; READ_RESPONSE_ONLY 501 256 #2; \
          READ_RESPONSE_ONLY 503 8 #2
          """)
  void answersInTheOrderOfRequests(String script, String left) {
    us.run("recv 1");

    assertThat(us.run(script).replaceAll(" #\\d", "")).isEqualTo(left.replaceAll(" #\\d", ""));
  }

  /** Memory for requests that wait is bounded, whatever a peer sends behind a long READ. */
  @Test
  void keepsSomeRequestsBehindAReadAndDropsTheRest() {
    int kept = 256;
    us.deliver(request(PEER_PSN, 0, LENGTH));

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
    us.receive(request(PEER_PSN, 0, 4L * MTU));

    us.deliver(
        request(PEER_PSN + 3, 3 * MTU, MTU),
        request(PEER_PSN + 2, 2 * MTU, MTU),
        request(PEER_PSN + 1, MTU, MTU));

    assertThat(us.transmit())
        .containsExactly(
            us.own().readResponse(ONLY, PEER_PSN + 3, 1, part(3 * MTU, MTU)),
            us.own().readResponse(ONLY, PEER_PSN + 2, 1, part(2 * MTU, MTU)));
    assertThat(us.drops(DropReason.DUPLICATE)).isEqualTo(1);
  }

  /** The answers were late: the peer had asked again when it got them and continued. */
  @Test
  void servesNewReadsWhileItAnswersOldOnesAgain() {
    assertThat(
            us.run(
                "READ_REQUEST 500 @0+8 & READ_REQUEST 501 @8+8; wait 1000; READ_REQUEST 500 @0+8 &"
                    + " READ_REQUEST 501 @8+8 & READ_REQUEST 502 @16+8 & READ_REQUEST 503 @24+8"))
        .contains("READ_RESPONSE_ONLY 502 8 #4", "READ_RESPONSE_ONLY 503 8 #4");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void answersNoReadOfAnEarlierConnection() {
    us.receive(request(PEER_PSN, 0, 8));

    us.enter(QpState.RESET);
    us.connect(EngineFixture.defaults().rqPsn(PEER_PSN + 1));

    assertThat(us.receive(request(PEER_PSN, 0, 8))).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }
}

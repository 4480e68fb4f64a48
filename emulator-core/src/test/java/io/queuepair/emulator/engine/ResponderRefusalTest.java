// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that break a rule, or find no receive: which NAK, which completion, which event, in
 * which order. 0x61 is INVALID_REQUEST, 0x62 REMOTE_ACCESS_ERROR, 0x2c an RNR NAK with the timer
 * code of the fixture, 12.
 */
final class ResponderRefusalTest {
  private static final int INVALID_REQUEST = 0x61;
  private static final int REMOTE_ACCESS_ERROR = 0x62;

  private EngineFixture us = EngineFixture.ready();

  /** The last packet is refused, and the connection is over. */
  private void assertRefused(String script, String nak, String receives) {
    assertThat(us.run(script)).isEqualTo(nak);
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(String.join("; ", us.receives())).isEqualTo(receives);
  }

  private void assertRefused(Packet request, int syndrome) {
    assertThat(us.receive(request)).containsExactly(us.own().acknowledge(PEER_PSN, syndrome, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEND_MIDDLE", "SEND_LAST", "WRITE_MIDDLE", "WRITE_LAST"})
  void refusesToGoOnWithWhatNeverBegan(String opcode) {
    assertRefused("recv 1; " + opcode + " 500", "NAK61 500 #0", "1 WR_FLUSH_ERR");
    assertThat(us.events()).containsExactly(EventType.QP_REQ_ERR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SEND_FIRST 501",
        "SEND_ONLY 501",
        "WRITE_FIRST 501 @0+768",
        "WRITE_MIDDLE 501",
        "WRITE_LAST 501",
        "WRITE_ONLY 501",
        "READ_REQUEST 501 @0+8",
      })
  void refusesEverythingButMoreOfTheSendUnderWay(String packet) {
    assertRefused(
        "recv 1; recv 2; SEND_FIRST 500; " + packet,
        "NAK61 501 #0",
        "1 REM_INV_REQ_ERR; 2 WR_FLUSH_ERR");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SEND_FIRST 501",
        "SEND_MIDDLE 501",
        "SEND_LAST 501",
        "SEND_ONLY 501",
        "WRITE_FIRST 501 @0+768",
        "WRITE_ONLY 501",
        "READ_REQUEST 501 @0+8",
      })
  void refusesEverythingButMoreOfTheWriteUnderWay(String packet) {
    assertRefused("recv 1; WRITE_FIRST 500 @0+768; " + packet, "NAK61 501 #0", "1 WR_FLUSH_ERR");
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE_ONLY 500 8, REMOTE_READ",
    "READ_REQUEST 500 @0+8, REMOTE_WRITE",
    "COMPARE_SWAP 500, REMOTE_READ",
    "FETCH_ADD 500, REMOTE_WRITE",
    // Before it misses a receive.
    "WRITE_ONLY_WITH_IMM 500 8, REMOTE_READ",
  })
  void refusesAWriteWithoutTheRightOfTheQueuePair(String packet, AccessFlag right) {
    us = EngineFixture.ready(attr -> attr.qpAccessFlags(right));

    assertRefused(packet, "NAK61 500 #0", "");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD"})
  void refusesAnAtomicWithoutTheRightOfTheRegion(Opcode opcode) {
    us = EngineFixture.ready(attr -> attr.qpAccessFlags(AccessFlag.REMOTE_ATOMIC));
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    var writable = us.register(new byte[64], rights);
    AtomicEth operands = new AtomicEth(writable.addr(), writable.key(), 1, 0);

    assertRefused(us.peer().of(opcode, PEER_PSN, new byte[0], operands), REMOTE_ACCESS_ERROR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COMPARE_SWAP 500 @4+8", "FETCH_ADD 500 @4+8", "ATOMIC_WRITE 500 8 @4+8"})
  void refusesAnAtomicWhoseAddressIsNoMultipleOfEight(String packet) {
    us =
        EngineFixture.ready(
            attr -> attr.qpAccessFlags(AccessFlag.REMOTE_ATOMIC, AccessFlag.REMOTE_WRITE));

    assertRefused(packet, "NAK61 500 #0", "");
  }

  @Test
  void refusesMoreReadsAtOnceThanItServes() {
    assertRefused(
        "READ_REQUEST 500 @0+8 & READ_REQUEST 501 @8+8 & READ_REQUEST 502 @16+8",
        "READ_RESPONSE_ONLY 500 8 #2; READ_RESPONSE_ONLY 501 8 #2; NAK61 502 #2",
        "");
    us = EngineFixture.ready(attr -> attr.maxDestRdAtomic(0));
    assertRefused("READ_REQUEST 500 @0+8", "NAK61 500 #0", "");
  }

  @Test
  void missesAReceiveBeforeItChecksTheKeyAndMeasuresBeforeThat() {
    Reth bad = new Reth(0, 0xbad, 8);
    assertThat(us.receive(us.peer().writeOnlyWithImm(PEER_PSN, bad, 1, new byte[8])))
        .containsExactly(us.own().acknowledge(PEER_PSN, 0x2c, 0));

    assertRefused(
        us.peer().writeOnly(PEER_PSN, new Reth(0, 0xbad, 9), new byte[8]), INVALID_REQUEST);
  }

  @Test
  void naksAFatalErrorOnceAndDropsWhatFollows() {
    us.run("SEND_MIDDLE 500");

    assertThat(us.run("SEND_MIDDLE 500; SEND_ONLY 500; SEND_ONLY 501")).isEmpty();
  }

  @Test
  void acknowledgesWhatPrecededTheFatalError() {
    assertThat(us.run("recv 1; SEND_ONLY 500 & SEND_LAST 501")).contains("NAK61 501 #1");
    assertThat(us.receives()).containsExactly("1 RECV 5");
  }

  // How long each packet and each message may be.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SEND_FIRST 500 0",
        "SEND_FIRST 500 255",
        "SEND_FIRST 500 257",
        "SEND_ONLY 500 257",
      })
  void refusesAnOnlyPacketAboveThePathMtu(String packet) {
    assertRefused("recv 1; " + packet, "NAK61 500 #0", "1 REM_INV_REQ_ERR");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SEND_MIDDLE 501 0",
        "SEND_MIDDLE 501 255",
        "SEND_MIDDLE 501 257",
        "SEND_LAST 501 0",
        "SEND_LAST 501 257",
      })
  void refusesPacketsThatAreNotFullOrTooLong(String packet) {
    assertRefused("recv 1; SEND_FIRST 500; " + packet, "NAK61 501 #0", "1 REM_INV_REQ_ERR");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRITE_ONLY 500 8 @0+7",
        "WRITE_ONLY 500 8 @0+9",
        "WRITE_FIRST 500 255 @0+768",
        "WRITE_FIRST 500 @0+2147483649",
        "READ_REQUEST 500 @0+2147483649",
      })
  void refusesOtherThanTheAnnouncedLength(String packet) {
    assertRefused(packet, "NAK61 500 #0", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE_MIDDLE 501", "WRITE_LAST 501 9", "WRITE_LAST 501 11"})
  void refusesAPacketThatIsNotTheRestOfTheWrite(String packet) {
    assertRefused("WRITE_FIRST 500 @0+266; " + packet, "NAK61 501 #0", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SEND_ONLY 500 0               | 1 RECV 0
          SEND_ONLY 500 1               | 1 RECV 1
          SEND_ONLY 500 256             | 1 RECV 256
          SEND_FIRST 500; SEND_LAST 501 1   | 1 RECV 257
          SEND_FIRST 500; SEND_LAST 501 256 | 1 RECV 512
          """)
  void takesPacketsUpToThePathMtu(String packets, String receives) {
    us.run("recv 1; " + packets);

    assertThat(us.receives()).containsExactly(receives);
  }

  @Test
  void tellsBothSidesThatASendIsTooLongForTheReceive() {
    assertRefused(
        "recv 1 7; recv 2; SEND_ONLY 500 8", "NAK61 500 #0", "1 LOC_LEN_ERR; 2 WR_FLUSH_ERR");
    assertThat(us.events()).doesNotContain(EventType.QP_ACCESS_ERR);
    assertThat(contentOf(us.region())[7]).isZero();
  }

  @Test
  void noticesTheLengthAtThePacketThatExceedsTheReceive() {
    assertRefused("recv 1 260; SEND_FIRST 500; SEND_LAST 501 5", "NAK61 501 #0", "1 LOC_LEN_ERR");
  }

  @Test
  void takesAnEmptySendIntoAReceiveWithoutMemory() {
    us.postReceive(1);

    us.run("SEND_ONLY 500 0");

    assertThat(us.receives()).containsExactly("1 RECV 0");
  }

  // A message that needs a receive when none is posted.

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 12, 31})
  void tellsTheSenderToWaitForMinRnrTimer(int timerCode) {
    us = EngineFixture.ready(attr -> attr.minRnrTimer(timerCode));

    assertThat(us.receive(us.packet("SEND_ONLY 500")))
        .containsExactly(us.own().acknowledge(PEER_PSN, 0x20 | timerCode, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          SEND_FIRST 500                         | NAK2c 500 #0               | ''
          WRITE_ONLY_WITH_IMM 500                | NAK2c 500 #0               | ''
          # Before it measures the message.
          SEND_ONLY 500 257                      | NAK2c 500 #0               | ''
          recv 1; SEND_ONLY 500; SEND_ONLY 501   | ACK 500 #1; NAK2c 501 #1   | 1 RECV 5
          # The same PSN again, as long as no receive is posted; what follows is dropped.
          SEND_ONLY 500; SEND_ONLY 500           | NAK2c 500 #0; NAK2c 500 #0 | ''
          SEND_ONLY 500; recv 1; SEND_ONLY 501; SEND_ONLY 502 | NAK2c 500 #0  | ''
          SEND_ONLY 500; recv 1; SEND_ONLY 500   | NAK2c 500 #0; ACK 500 #1   | 1 RECV 5
          SEND_ONLY 500; recv 1; SEND_ONLY 500; SEND_ONLY 502 \
          | NAK2c 500 #0; ACK 500 #1; NAK60 501 #1 | 1 RECV 5
          # A duplicate while it waits.
          recv 1; SEND_ONLY 500; SEND_ONLY 501; SEND_ONLY 500 \
          | ACK 500 #1; NAK2c 501 #1; ACK 500 #1 | 1 RECV 5
          # Neither WRITE nor READ needs one.
          WRITE_ONLY 500; READ_REQUEST 501 @0+5  | ACK 500 #1; READ_RESPONSE_ONLY 501 5 #2 | ''
          """)
  void refusesTheFirstPacketOfALongSend(String script, String left, String receives) {
    assertThat(us.run(script)).isEqualTo(left);
    assertThat(String.join("; ", us.receives())).isEqualTo(receives);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void refusesOnlyTheLastPacketOfALongWriteWithImmediate() {
    byte[] message = TestPayloads.pattern(MTU + 4, 9);
    Packet first =
        us.peer()
            .of(
                Opcode.RC_RDMA_WRITE_FIRST,
                PEER_PSN,
                TestPayloads.slice(message, 0, MTU),
                reth(us.region(), 0, MTU + 4));
    Packet last =
        us.peer()
            .of(
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMM,
                PEER_PSN + 1,
                TestPayloads.slice(message, MTU, 4),
                new ImmDt(0xcafe));

    List<Packet> refused = us.receive(first, last);
    us.postReceive(3);
    List<Packet> accepted = us.receive(last);

    assertThat(refused).containsExactly(us.own().acknowledge(PEER_PSN + 1, 0x2c, 0));
    assertThat(accepted).containsExactly(us.own().ack(PEER_PSN + 1, 1));
    assertThat(us.receives()).containsExactly("3 RECV_RDMA_WITH_IMM " + (MTU + 4));
    assertThat(contentOf(us.region())).startsWith(message);
  }
}

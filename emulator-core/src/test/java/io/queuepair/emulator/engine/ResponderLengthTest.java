// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long each packet and each message may be. */
final class ResponderLengthTest {
  private static final int INVALID_REQUEST = 0x61;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory inbox = us.register(new byte[8 * MTU]);

  private Packet writeFirst(int bytes, long announced) {
    return us.peer()
        .of(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN, new byte[bytes], reth(inbox, 0, announced));
  }

  private void assertRefused(List<Packet> replies, int psn) {
    assertThat(replies).containsExactly(us.own().acknowledge(psn, INVALID_REQUEST, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, MTU - 1, MTU + 1})
  void refusesAFirstPacketThatIsNotFull(int bytes) {
    us.postReceive(1, sge(inbox));

    assertRefused(us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[bytes])), 500);
    assertThat(us.receives()).containsExactly("1 REM_INV_REQ_ERR");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, MTU - 1, MTU + 1})
  void refusesAMiddlePacketThatIsNotFull(int bytes) {
    us.postReceive(1, sge(inbox));
    us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]));

    assertRefused(us.receive(us.peer().of(Opcode.RC_SEND_MIDDLE, 501, new byte[bytes])), 501);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, MTU + 1})
  void refusesALastPacketThatIsEmptyOrOverfull(int bytes) {
    us.postReceive(1, sge(inbox));
    us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]));

    assertRefused(us.receive(us.peer().of(Opcode.RC_SEND_LAST, 501, new byte[bytes])), 501);
  }

  @Test
  void refusesAnOnlyPacketAboveThePathMtu() {
    us.postReceive(1, sge(inbox));

    assertRefused(us.receive(us.peer().sendOnly(PEER_PSN, new byte[MTU + 1])), PEER_PSN);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, MTU})
  void takesAnOnlyPacketUpToThePathMtu(int bytes) {
    us.postReceive(1, sge(inbox));

    us.receive(us.peer().sendOnly(PEER_PSN, new byte[bytes]));

    assertThat(us.receives()).containsExactly("1 RECV " + bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, MTU})
  void takesALastPacketOfOneByteToThePathMtu(int bytes) {
    us.postReceive(1, sge(inbox));

    us.receive(
        us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]),
        us.peer().of(Opcode.RC_SEND_LAST, PEER_PSN + 1, new byte[bytes]));

    assertThat(us.receives()).containsExactly("1 RECV " + (MTU + bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 9})
  void refusesAWriteOfOtherThanTheAnnouncedLength(long announced) {
    assertRefused(
        us.receive(us.peer().writeOnly(PEER_PSN, reth(inbox, 0, announced), new byte[8])),
        PEER_PSN);
  }

  @Test
  void refusesAFirstPacketOfAWriteThatIsNotFull() {
    assertRefused(us.receive(writeFirst(MTU - 1, 3 * MTU)), PEER_PSN);
  }

  @Test
  void refusesAMiddlePacketBeyondTheAnnouncedLength() {
    us.receive(writeFirst(MTU, MTU + 10));

    assertRefused(us.receive(us.peer().of(Opcode.RC_RDMA_WRITE_MIDDLE, 501, new byte[MTU])), 501);
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 11})
  void refusesALastPacketThatIsNotTheRestOfTheWrite(int bytes) {
    us.receive(writeFirst(MTU, MTU + 10));

    assertRefused(us.receive(us.peer().of(Opcode.RC_RDMA_WRITE_LAST, 501, new byte[bytes])), 501);
  }

  @Test
  void refusesAWriteAnnouncedLongerThanAnyMessage() {
    assertRefused(us.receive(writeFirst(MTU, (1L << 31) + 1)), PEER_PSN);
  }

  @Test
  void refusesAReadLongerThanAnyMessage() {
    assertRefused(
        us.receive(us.peer().readRequest(PEER_PSN, reth(inbox, 0, (1L << 31) + 1))), PEER_PSN);
  }

  @Test
  void tellsBothSidesThatASendIsTooLongForTheReceive() {
    us.postReceive(1, sge(inbox, 0, 7));
    us.postReceive(2, sge(inbox));

    assertRefused(us.receive(us.peer().sendOnly(PEER_PSN, new byte[8])), PEER_PSN);
    assertThat(us.receives()).containsExactly("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR");
    assertThat(us.events()).doesNotContain(EventType.QP_ACCESS_ERR);
  }

  @Test
  void noticesTheLengthAtThePacketThatExceedsTheReceive() {
    us.postReceive(1, sge(inbox, 0, MTU + 4));
    us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]));

    assertRefused(us.receive(us.peer().of(Opcode.RC_SEND_LAST, 501, new byte[5])), 501);
    assertThat(us.receives()).containsExactly("1 LOC_LEN_ERR");
  }

  @Test
  void writesNothingBehindAReceiveThatIsTooShort() {
    us.postReceive(1, sge(inbox, 0, 7));

    us.receive(us.peer().sendOnly(PEER_PSN, TestPayloads.fill(8, 0x99)));

    assertThat(contentOf(inbox)[7]).isZero();
  }

  @Test
  void takesAnEmptySendIntoAReceiveWithoutMemory() {
    us.postReceive(1);

    us.receive(us.peer().sendOnly(PEER_PSN, new byte[0]));

    assertThat(us.receives()).containsExactly("1 RECV 0");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Requests that break a rule: which NAK, which completion, which event, in which order. */
final class ResponderRefusalTest {
  private static final int INVALID_REQUEST = 0x61;
  private static final int REMOTE_ACCESS_ERROR = 0x62;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory inbox = us.register(new byte[8 * MTU]);

  private Packet packetOf(Opcode opcode, int psn) {
    int length = opcode.position().startsMessage() && opcode.position().endsMessage() ? 8 : MTU;
    Reth target = reth(inbox, 0, opcode.position().endsMessage() ? length : 3L * MTU);
    return switch (opcode) {
      case RC_RDMA_READ_REQUEST -> us.peer().readRequest(psn, target);
      case RC_RDMA_WRITE_FIRST, RC_RDMA_WRITE_ONLY ->
          us.peer().of(opcode, psn, new byte[length], target);
      default -> us.peer().of(opcode, psn, new byte[length]);
    };
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {
        "RC_SEND_MIDDLE",
        "RC_SEND_LAST",
        "RC_RDMA_WRITE_MIDDLE",
        "RC_RDMA_WRITE_LAST",
      })
  void refusesToGoOnWithWhatNeverBegan(Opcode opcode) {
    us.postReceive(1, sge(inbox));

    List<Packet> replies = us.receive(packetOf(opcode, PEER_PSN));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(us.receives()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(us.events()).containsExactly(EventType.QP_REQ_ERR);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {
        "RC_SEND_FIRST",
        "RC_SEND_ONLY",
        "RC_RDMA_WRITE_FIRST",
        "RC_RDMA_WRITE_MIDDLE",
        "RC_RDMA_WRITE_LAST",
        "RC_RDMA_WRITE_ONLY",
        "RC_RDMA_READ_REQUEST",
      })
  void refusesEverythingButMoreOfTheSendUnderWay(Opcode opcode) {
    us.postReceive(1, sge(inbox));
    us.postReceive(2, sge(inbox));
    us.receive(packetOf(Opcode.RC_SEND_FIRST, PEER_PSN));

    List<Packet> replies = us.receive(packetOf(opcode, PEER_PSN + 1));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN + 1, INVALID_REQUEST, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(us.receives()).containsExactly("1 REM_INV_REQ_ERR", "2 WR_FLUSH_ERR");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {
        "RC_SEND_FIRST",
        "RC_SEND_MIDDLE",
        "RC_SEND_LAST",
        "RC_SEND_ONLY",
        "RC_RDMA_WRITE_FIRST",
        "RC_RDMA_WRITE_ONLY",
        "RC_RDMA_READ_REQUEST",
      })
  void refusesEverythingButMoreOfTheWriteUnderWay(Opcode opcode) {
    us.postReceive(1, sge(inbox));
    us.receive(packetOf(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN));

    List<Packet> replies = us.receive(packetOf(opcode, PEER_PSN + 1));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN + 1, INVALID_REQUEST, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(us.receives()).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  void refusesAWriteWithoutTheRightOfTheQueuePair() {
    EngineFixture readOnly =
        EngineFixture.ready(attr -> attr.qpAccessFlags(AccessFlag.REMOTE_READ));
    RegisteredMemory region = readOnly.register(new byte[64]);

    List<Packet> replies =
        readOnly.receive(readOnly.peer().writeOnly(PEER_PSN, reth(region, 0, 8), new byte[8]));

    assertThat(replies).containsExactly(readOnly.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(readOnly.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void refusesAReadWithoutTheRightOfTheQueuePair() {
    EngineFixture writeOnly =
        EngineFixture.ready(attr -> attr.qpAccessFlags(AccessFlag.REMOTE_WRITE));
    RegisteredMemory region = writeOnly.register(new byte[64]);

    List<Packet> replies =
        writeOnly.receive(writeOnly.peer().readRequest(PEER_PSN, reth(region, 0, 8)));

    assertThat(replies).containsExactly(writeOnly.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(writeOnly.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD"})
  void refusesAnAtomicWithoutTheRightOfTheQueuePair(Opcode opcode) {
    AtomicEth operands = new AtomicEth(inbox.addr(), inbox.key(), 1, 0);

    List<Packet> replies = us.receive(us.peer().of(opcode, PEER_PSN, new byte[0], operands));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD"})
  void refusesAnAtomicWithoutTheRightOfTheRegion(Opcode opcode) {
    EngineFixture atomic =
        EngineFixture.ready(attr -> attr.qpAccessFlags(AccessFlag.REMOTE_ATOMIC));
    RegisteredMemory writable =
        atomic.register(new byte[64], EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
    AtomicEth operands = new AtomicEth(writable.addr(), writable.key(), 1, 0);

    List<Packet> replies =
        atomic.receive(atomic.peer().of(opcode, PEER_PSN, new byte[0], operands));

    assertThat(replies).containsExactly(atomic.own().acknowledge(PEER_PSN, REMOTE_ACCESS_ERROR, 0));
    assertThat(atomic.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD"})
  void refusesAnAtomicWhoseAddressIsNoMultipleOfEight(Opcode opcode) {
    EngineFixture atomic =
        EngineFixture.ready(attr -> attr.qpAccessFlags(AccessFlag.REMOTE_ATOMIC));
    RegisteredMemory region = atomic.register(new byte[64]);
    AtomicEth operands = new AtomicEth(region.addr() + 4, region.key(), 1, 0);

    List<Packet> replies =
        atomic.receive(atomic.peer().of(opcode, PEER_PSN, new byte[0], operands));

    assertThat(replies).containsExactly(atomic.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(atomic.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void refusesAReadIfItServesNone() {
    EngineFixture none = EngineFixture.ready(attr -> attr.maxDestRdAtomic(0));
    RegisteredMemory region = none.register(new byte[64]);

    List<Packet> replies = none.receive(none.peer().readRequest(PEER_PSN, reth(region, 0, 8)));

    assertThat(replies).containsExactly(none.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(none.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void refusesMoreReadsAtOnceThanItServes() {
    us.deliver(
        us.peer().readRequest(PEER_PSN, reth(inbox, 0, 8)),
        us.peer().readRequest(PEER_PSN + 1, reth(inbox, 8, 8)),
        us.peer().readRequest(PEER_PSN + 2, reth(inbox, 16, 8)));

    List<String> replies = EngineFixture.brief(us.transmit());

    assertThat(replies)
        .containsExactly(
            "RDMA_READ_RESPONSE_ONLY " + PEER_PSN,
            "RDMA_READ_RESPONSE_ONLY " + (PEER_PSN + 1),
            "ACKNOWLEDGE " + (PEER_PSN + 2));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void refusesAWriteWithoutRightBeforeItMissesAReceive() {
    EngineFixture readOnly =
        EngineFixture.ready(attr -> attr.qpAccessFlags(AccessFlag.REMOTE_READ));

    List<Packet> replies =
        readOnly.receive(
            readOnly.peer().writeOnlyWithImm(PEER_PSN, new Reth(0, 0, 8), 1, new byte[8]));

    assertThat(replies).containsExactly(readOnly.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
  }

  @Test
  void missesAReceiveBeforeItMeasuresTheMessage() {
    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, new byte[MTU + 1]));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, 0x20 | 12, 0));
  }

  @Test
  void missesAReceiveBeforeItChecksTheKey() {
    List<Packet> replies =
        us.receive(us.peer().writeOnlyWithImm(PEER_PSN, new Reth(0, 0xbad, 8), 1, new byte[8]));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, 0x20 | 12, 0));
  }

  @Test
  void measuresTheMessageBeforeItChecksTheKey() {
    List<Packet> replies =
        us.receive(us.peer().writeOnly(PEER_PSN, new Reth(0, 0xbad, 9), new byte[8]));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
  }

  @Test
  void naksAFatalErrorOnceAndDropsWhatFollows() {
    us.receive(packetOf(Opcode.RC_SEND_MIDDLE, PEER_PSN));

    List<Packet> replies =
        us.receive(
            packetOf(Opcode.RC_SEND_MIDDLE, PEER_PSN),
            packetOf(Opcode.RC_SEND_ONLY, PEER_PSN),
            packetOf(Opcode.RC_SEND_ONLY, PEER_PSN + 1));

    assertThat(replies).isEmpty();
  }

  @Test
  void acknowledgesWhatPrecededTheFatalError() {
    us.postReceive(1, sge(inbox));
    us.deliver(
        packetOf(Opcode.RC_SEND_ONLY, PEER_PSN), packetOf(Opcode.RC_SEND_LAST, PEER_PSN + 1));

    List<Packet> replies = us.transmit();

    assertThat(replies).contains(us.own().acknowledge(PEER_PSN + 1, INVALID_REQUEST, 1));
    assertThat(us.receives()).containsExactly("1 RECV 8");
  }

  @Test
  void refusesAnAtomicWriteWhoseAddressIsNoMultipleOfEight() {
    Packet misaligned =
        us.peer().of(Opcode.RC_ATOMIC_WRITE, PEER_PSN, new byte[8], reth(inbox, 4, 8));

    assertThat(us.receive(misaligned))
        .containsExactly(us.own().acknowledge(PEER_PSN, INVALID_REQUEST, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }
}

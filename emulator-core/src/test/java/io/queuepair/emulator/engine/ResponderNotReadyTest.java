// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that needs a receive when none is posted. */
final class ResponderNotReadyTest {
  /** RNR NAK with the default timer code, 12. */
  private static final int NOT_READY = 0x20 | 12;

  private static final byte[] HELLO = TestPayloads.pattern(5, 1);

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory inbox = us.register(new byte[4 * MTU]);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 12, 31})
  void tellsTheSenderToWaitForMinRnrTimer(int timerCode) {
    EngineFixture slow = EngineFixture.ready(attr -> attr.minRnrTimer(timerCode));

    List<Packet> replies = slow.receive(slow.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(slow.own().acknowledge(PEER_PSN, 0x20 | timerCode, 0));
    assertThat(slow.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void namesTheRefusedPsnAndTheMessagesDone() {
    us.postReceive(0, sge(inbox));
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN + 1, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN + 1, NOT_READY, 1));
  }

  @Test
  void isSilentUntilTheRefusedPsnComesAgain() {
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    us.postReceive(0, sge(inbox));

    List<Packet> replies =
        us.receive(
            us.peer().sendOnly(PEER_PSN + 1, HELLO), us.peer().sendOnly(PEER_PSN + 2, HELLO));

    assertThat(replies).isEmpty();
    assertThat(us.receives()).isEmpty();
  }

  @Test
  void executesTheRefusedPsnWhenAReceiveIsPosted() {
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    us.postReceive(7, sge(inbox));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
    assertThat(us.receives()).containsExactly("7 RECV 5");
  }

  @Test
  void refusesTheSamePsnAgainAsLongAsNoReceiveIsPosted() {
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, NOT_READY, 0));
  }

  @Test
  void naksAGapAgainOnceTheRefusedPsnWasExecuted() {
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    us.postReceive(0, sge(inbox));
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN + 2, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN + 1, 0x60, 1));
  }

  @Test
  void refusesTheFirstPacketOfALongSend() {
    List<Packet> replies = us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, NOT_READY, 0));
  }

  @Test
  void refusesAWriteWithImmediate() {
    List<Packet> replies =
        us.receive(us.peer().writeOnlyWithImm(PEER_PSN, reth(inbox, 0, 5), 9, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, NOT_READY, 0));
    assertThat(contentOf(inbox)).containsOnly(0);
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
                reth(inbox, 0, MTU + 4));
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

    assertThat(refused).containsExactly(us.own().acknowledge(PEER_PSN + 1, NOT_READY, 0));
    assertThat(accepted).containsExactly(us.own().ack(PEER_PSN + 1, 1));
    assertThat(us.receives()).containsExactly("3 RECV_RDMA_WITH_IMM " + (MTU + 4));
    assertThat(TestPayloads.slice(contentOf(inbox), 0, MTU + 4)).isEqualTo(message);
  }

  @Test
  void needsNoReceiveForAWriteOrARead() {
    List<Packet> replies =
        us.receive(
            us.peer().writeOnly(PEER_PSN, reth(inbox, 0, 5), HELLO),
            us.peer().readRequest(PEER_PSN + 1, reth(inbox, 0, 5)));

    assertThat(EngineFixture.brief(replies))
        .containsExactly("ACKNOWLEDGE " + PEER_PSN, "RDMA_READ_RESPONSE_ONLY " + (PEER_PSN + 1));
  }

  @Test
  void acknowledgesDuplicatesWhileItWaits() {
    us.postReceive(0, sge(inbox));
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO), us.peer().sendOnly(PEER_PSN + 1, HELLO));

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
  }
}

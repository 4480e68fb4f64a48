// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.FakeProcess;
import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Ieth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.Test;

/** Events between the arrival of messages for another process and the end of their step. */
final class GatheredReceiveTest {
  private static final long BASE = 0x7000_0000L;
  private static final int UNMAPPED = FakeProcess.PAGE;
  private static final int REMOTE_ACCESS = 0x62;
  private static final int REMOTE_OPERATION = 0x63;
  private static final byte[] EIGHT = TestPayloads.pattern(8, 2);

  private final FakeProcess process = new FakeProcess().map(BASE, 1);

  private RegisteredMemory target(EngineFixture us) {
    return us.register(process, BASE, 2 * FakeProcess.PAGE);
  }

  private void postReceives(EngineFixture us, int... offsets) {
    RegisteredMemory target = target(us);
    for (int i = 0; i < offsets.length; i++) {
      us.postReceive(i + 1, sge(target, offsets[i], 8));
    }
  }

  @Test
  void whatArrivedBeforeTheOwnSendFailedIsWrittenFirst() {
    EngineFixture us = EngineFixture.ready();
    postReceives(us, 0, UNMAPPED, 16);
    us.post(SendWr.send(9));
    us.transmit();

    us.deliver(
        us.peer().sendOnly(PEER_PSN, EIGHT),
        us.peer().sendOnly(PEER_PSN + 1, EIGHT),
        us.peer().sendOnly(PEER_PSN + 2, EIGHT),
        us.peer().acknowledge(OWN_PSN, REMOTE_OPERATION, 0));
    us.endStep();

    assertThat(us.sends()).containsExactly("9 REM_OP_ERR");
    assertThat(us.receives()).containsExactly("1 RECV 8", "2 LOC_PROT_ERR", "3 WR_FLUSH_ERR");
    assertThat(us.transmit())
        .containsExactly(us.own().acknowledge(PEER_PSN + 1, REMOTE_OPERATION, 1));
  }

  @Test
  void theMessageBeforeTheFirstPsnCompletes() {
    EngineFixture us = EngineFixture.ready(attr -> attr.rqPsn(0xff_ffff));
    postReceives(us, 0, UNMAPPED);

    us.deliver(us.peer().sendOnly(0xff_ffff, EIGHT), us.peer().sendOnly(0, EIGHT));
    us.endStep();

    assertThat(us.receives()).containsExactly("1 RECV 8", "2 LOC_PROT_ERR");
  }

  @Test
  void aFailedMessageKeepsTheNextOneFromInvalidatingAKey() {
    EngineFixture us = EngineFixture.ready();
    MemoryWindowState window = us.windows().bound(us.windows().register(8));
    postReceives(us, UNMAPPED, 0);

    us.deliver(
        us.peer().sendOnly(PEER_PSN, EIGHT),
        us.peer()
            .of(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, PEER_PSN + 1, EIGHT, new Ieth(window.key())));

    assertThat(us.windows().isOpen(window)).isTrue();
  }

  @Test
  void nothingIsWrittenAfterAnotherQueuePairFoundThatAMessageFailed() {
    EngineFixture us = EngineFixture.ready();
    RegisteredMemory own = us.register(new byte[8]);
    us.deliver(us.peer().writeOnly(PEER_PSN, reth(target(us), UNMAPPED, 8), EIGHT));
    us.memory().staging().flush(); // As for a datagram.

    us.deliver(us.peer().writeOnly(PEER_PSN + 1, reth(own, 0, 8), EIGHT));

    assertThat(contentOf(own)).containsOnly(0);
  }

  @Test
  void aReadAfterAFailedMessageIsNotAnswered() {
    EngineFixture us = EngineFixture.ready();
    RegisteredMemory target = target(us);
    us.deliver(
        us.peer().writeOnly(PEER_PSN, reth(target, UNMAPPED, 8), EIGHT),
        us.peer().readRequest(PEER_PSN + 1, reth(target, 0, 8)));
    us.endStep();

    assertThat(us.transmit()).containsExactly(us.own().acknowledge(PEER_PSN, REMOTE_ACCESS, 0));
  }

  @Test
  void aMessageThatWaitedForAReadIsWrittenBeforeItsAcknowledgement() {
    EngineFixture us = EngineFixture.ready();
    RegisteredMemory target = target(us);
    us.deliver(
        us.peer().readRequest(PEER_PSN, reth(target, 0, 8)),
        us.peer().writeOnly(PEER_PSN + 1, reth(target, UNMAPPED, 8), EIGHT));
    us.endStep();

    assertThat(us.transmit())
        .last()
        .isEqualTo(us.own().acknowledge(PEER_PSN + 1, REMOTE_ACCESS, 1));
  }
}

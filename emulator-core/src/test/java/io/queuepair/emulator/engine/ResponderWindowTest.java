// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Ieth;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.QpState;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Windows that close while messages are under way, and keys that peers invalidate. */
final class ResponderWindowTest {
  private final EngineFixture us = EngineFixture.ready();
  private final WindowFixture windows = new WindowFixture(us);
  private final RegisteredMemory region = windows.register(4 * MTU);
  private final MemoryWindowState window = windows.bound(region);
  private final int rkey = window.key();

  private Reth target(long length) {
    return new Reth(region.addr(), rkey, length);
  }

  private void invalidate() {
    us.post(new LocalInvWr(9, Set.of(), rkey));
    assertThat(us.transmit()).isEmpty();
  }

  private static void assertAccessNak(List<Packet> packets, int psn) {
    assertThat(brief(packets)).containsExactly("ACKNOWLEDGE " + psn);
    assertThat(packets.get(0).aeth().nakCode()).isEqualTo(NakCode.REMOTE_ACCESS_ERROR);
  }

  @Test
  void aWriteGoesNoFurtherThanTheInvalidation() {
    byte[] data = TestPayloads.pattern(MTU, 3);
    us.receive(us.peer().of(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN, data, target(3 * MTU)));
    invalidate();

    assertAccessNak(
        us.receive(us.peer().of(Opcode.RC_RDMA_WRITE_MIDDLE, PEER_PSN + 1, data)), PEER_PSN + 1);

    byte[] expected = Arrays.copyOf(data, 4 * MTU);
    assertThat(contentOf(region)).isEqualTo(expected);
    assertThat(us.events()).containsExactly(EventType.QP_ACCESS_ERR);
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aReadGoesNoFurtherThanTheEndOfTheWindow() {
    us.deliver(us.peer().readRequest(PEER_PSN, target(3 * MTU)));
    Packet first = us.transmitOne();
    windows.free(window);

    assertThat(brief(List.of(first))).containsExactly("RDMA_READ_RESPONSE_FIRST " + PEER_PSN);
    assertAccessNak(us.transmit(), PEER_PSN + 1);
  }

  @Test
  void aReadThatIsAskedForAgainIsCheckedAgain() {
    us.receive(us.peer().readRequest(PEER_PSN, target(8)));
    invalidate();

    assertAccessNak(us.receive(us.peer().readRequest(PEER_PSN, target(8))), PEER_PSN);
  }

  private Packet sendOnly(int psn, int invalidated) {
    return us.peer()
        .of(
            Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
            psn,
            TestPayloads.pattern(8, 5),
            new Ieth(invalidated));
  }

  @Test
  void theLastPacketOfASendInvalidates() {
    RegisteredMemory receive = us.register(new byte[2 * MTU]);
    us.postReceive(1, sge(receive));
    us.receive(us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, TestPayloads.pattern(MTU, 1)));
    assertThat(windows.isOpen(window)).isTrue();

    us.receive(
        us.peer()
            .of(
                Opcode.RC_SEND_LAST_WITH_INVALIDATE,
                PEER_PSN + 1,
                TestPayloads.pattern(8, 2),
                new Ieth(rkey)));

    assertThat(windows.isOpen(window)).isFalse();
    assertThat(us.receives()).containsExactly("1 RECV " + (MTU + 8));
  }

  @Test
  void aSendThatFindsNoReceiveInvalidatesNothing() {
    us.receive(sendOnly(PEER_PSN, rkey));

    assertThat(windows.isOpen(window)).isTrue();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void aDuplicateInvalidatesNothing() {
    us.postReceive(1, sge(us.register(new byte[8])));
    us.receive(sendOnly(PEER_PSN, rkey));
    windows.postBind(2, window, region);
    us.transmit();

    us.receive(sendOnly(PEER_PSN, window.key()));

    assertThat(windows.isOpen(window)).isTrue();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  private void assertRefused(int invalidated) {
    RegisteredMemory receive = us.register(new byte[8]);
    us.postReceive(1, sge(receive));

    assertAccessNak(us.receive(sendOnly(PEER_PSN, invalidated)), PEER_PSN);

    assertThat(us.receives()).containsExactly("1 LOC_ACCESS_ERR");
    assertThat(us.events()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aKeyThatNamesNothingIsNotInvalidated() {
    assertRefused(0x1234_5678);
  }

  @Test
  void aRegionIsNotInvalidated() {
    assertRefused(region.key());
  }

  @Test
  void aWindowIsNotInvalidatedTwice() {
    invalidate();

    assertRefused(rkey);
  }

  @Test
  void aWindowThatWasBoundBeforeAResetIsNotInvalidated() {
    us.enter(QpState.RESET);
    us.connect();

    assertRefused(rkey);
  }
}

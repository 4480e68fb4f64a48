// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Binds and invalidations among other requests: when they take effect, and when they complete. */
final class LocalOperationsTest {
  private static final int ACCESS_ERROR = 0x62;

  private final EngineFixture us = EngineFixture.ready();
  private final WindowFixture windows = new WindowFixture(us);
  private final RegisteredMemory region = us.register(TestPayloads.pattern(4 * MTU, 1));
  private final RegisteredMemory bindable = windows.register(MTU);
  private final MemoryWindowState window = windows.allocate();

  private static SendWr invalidation(long wrId, MemoryWindowState named) {
    return new LocalInvWr(wrId, Set.of(SendFlag.SIGNALED), named.key());
  }

  private SendWr read(long wrId) {
    return SendWr.rdmaRead(wrId, 0x1000, 5, sge(region, 0, 8));
  }

  private void bind(long wrId) {
    windows.postBind(wrId, window, bindable, SendFlag.SIGNALED);
  }

  /** The window is bound; nothing else has happened. */
  private void bound() {
    bind(1);
    assertThat(us.transmit()).isEmpty();
    assertThat(us.sends()).containsExactly("1 BIND_MW 0");
  }

  private List<Packet> answer(int psn) {
    return us.receive(
        us.peer().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, psn, 1, new byte[8]));
  }

  @Test
  void aBindSendsNothingAndCompletesAtOnce() {
    bound();

    assertThat(windows.isOpen(window)).isTrue();
    assertThat(us.hasDeadline()).isFalse();
  }

  @Test
  void aBindTakesNoPsn() {
    us.post(SendWr.send(1));
    bind(2);
    us.post(SendWr.send(3));

    assertThat(brief(us.transmit()))
        .containsExactly("SEND_ONLY " + OWN_PSN, "SEND_ONLY " + (OWN_PSN + 1));
  }

  @Test
  void aBindTakesEffectWhileOlderRequestsAreUnderWayAndCompletesAfterThem() {
    us.post(read(1));
    bind(2);
    us.transmit();

    assertThat(windows.isOpen(window)).isTrue();
    assertThat(us.sends()).isEmpty();

    answer(OWN_PSN);
    assertThat(us.sends()).containsExactly("1 RDMA_READ 8", "2 BIND_MW 0");
  }

  @Test
  void aFencedBindWaitsForReads() {
    us.post(read(1));
    windows.postBind(2, window, bindable, SendFlag.SIGNALED, SendFlag.FENCE);
    us.transmit();
    assertThat(windows.isOpen(window)).isFalse();

    answer(OWN_PSN);

    assertThat(windows.isOpen(window)).isTrue();
    assertThat(us.sends()).containsExactly("1 RDMA_READ 8", "2 BIND_MW 0");
  }

  @Test
  void aFencedBindDoesNotWaitForSends() {
    us.post(SendWr.send(1));
    windows.postBind(2, window, bindable, SendFlag.SIGNALED, SendFlag.FENCE);
    us.transmit();

    assertThat(windows.isOpen(window)).isTrue();
  }

  @Test
  void anInvalidationWaitsForAllOlderRequests() {
    bound();
    us.post(SendWr.send(2), invalidation(3, window), SendWr.send(4));

    assertThat(brief(us.transmit())).containsExactly("SEND_ONLY " + OWN_PSN);
    assertThat(windows.isOpen(window)).isTrue();

    List<Packet> next = us.receive(us.peer().ack(OWN_PSN, 1));
    assertThat(windows.isOpen(window)).isFalse();
    assertThat(us.sends()).containsExactly("2 SEND 0", "3 LOCAL_INV 0");
    assertThat(brief(next)).containsExactly("SEND_ONLY " + (OWN_PSN + 1));
  }

  @Test
  void aWindowCanBeInvalidatedAndBoundAgainInOneGo() {
    bound();
    us.post(invalidation(2, window));
    bind(3);
    us.transmit();

    assertThat(us.sends()).containsExactly("2 LOCAL_INV 0", "3 BIND_MW 0");
    assertThat(windows.isOpen(window)).isTrue();
  }

  @Test
  void goingBackDoesNotBindAgain() {
    us.post(SendWr.send(1));
    bind(2);
    us.post(SendWr.send(3));
    List<Packet> sent = us.transmit();

    assertThat(us.elapse(TIMEOUT_NANOS)).isEqualTo(sent);
    us.receive(us.peer().ack(OWN_PSN + 1, 2));

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 BIND_MW 0", "3 SEND 0");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void aBindCompletesWithTheAcknowledgementOfTheRequestBeforeIt() {
    us.post(SendWr.send(1));
    bind(2);
    us.post(SendWr.send(3));
    us.transmit();

    us.receive(us.peer().ack(OWN_PSN, 1));

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 BIND_MW 0");
  }

  @Test
  void aResponseAcknowledgesTheBindsBeforeItsRequest() {
    us.post(SendWr.send(1));
    bind(2);
    us.post(read(3));
    us.transmit();

    answer(OWN_PSN + 1);

    assertThat(us.sends()).containsExactly("1 SEND 0", "2 BIND_MW 0", "3 RDMA_READ 8");
  }

  @Test
  void aFailedBindWaitsForItsTurnToFail() {
    us.post(SendWr.send(1));
    windows.postBind(2, window, us.register(new byte[8]));
    us.post(SendWr.send(3));

    assertThat(brief(us.transmit())).containsExactly("SEND_ONLY " + OWN_PSN);
    assertThat(us.sends()).isEmpty();

    us.receive(us.peer().ack(OWN_PSN, 1));
    assertThat(us.sends()).containsExactly("1 SEND 0", "2 MW_BIND_ERR", "3 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void anOlderFailureFlushesABindThatTookEffect() {
    us.post(SendWr.send(1));
    bind(2);
    us.transmit();

    us.receive(us.peer().acknowledge(OWN_PSN, ACCESS_ERROR, 0));

    assertThat(us.sends()).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  void nothingIsBoundInSqd() {
    us.enter(QpState.SQD);
    bind(1);
    us.transmit();
    assertThat(windows.isOpen(window)).isFalse();

    us.enter(QpState.RTS);
    us.transmit();

    assertThat(windows.isOpen(window)).isTrue();
  }

  @Test
  void resetClosesTheWindowsOfType2() {
    bound();

    us.enter(QpState.RESET);
    us.connect();

    assertThat(windows.isOpen(window)).isFalse();
  }

  @Test
  void anUnsignaledBindIsSilent() {
    windows.postBind(1, window, bindable);
    us.transmit();

    assertThat(windows.isOpen(window)).isTrue();
    assertThat(us.sends()).isEmpty();
  }
}

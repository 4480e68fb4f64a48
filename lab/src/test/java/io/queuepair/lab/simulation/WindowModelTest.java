// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A window of type 2 can be bound when it is free, and that is looked at when its turn in the send
 * queue comes (rxe_check_bind_mw): a bind that was to find it bound waits behind an atomic here
 * while the peer invalidates it.
 */
final class WindowModelTest {
  /** An atomic is answered after two, a message has arrived after one. */
  private static final long LATENCY_NANOS = 1_000;

  private static final Action BIND = post(0, WrOpcode.BIND_MW, 0, InjectedError.NONE);
  private static final Action BIND_BOUND = post(0, WrOpcode.BIND_MW, 0, InjectedError.BOUND_WINDOW);
  private static final Action ATOMIC =
      post(0, WrOpcode.ATOMIC_CMP_AND_SWP, Long.BYTES, InjectedError.NONE);
  private static final Action INVALIDATE = post(1, WrOpcode.SEND_WITH_INV, 0, InjectedError.NONE);

  private static Action post(int qp, WrOpcode opcode, int bytes, InjectedError error) {
    Set<SendFlag> flags = EnumSet.of(SendFlag.SIGNALED, SendFlag.FENCE);
    return new Action.Post(qp, new WorkSpec(opcode, bytes, 1, flags, error, 1));
  }

  private static SimulationOutcome run(Action... actions) {
    List<ConnectionConfig> one = List.of(new ConnectionConfig(QpType.RC, Mtu.MTU_1024, 1, 0));
    return new WorkTestCase(1, one, List.of(actions), FaultPlan.none()).run();
  }

  @Test
  void bindsNothingBehindABindThatFindsItClosedByThePeer() {
    SimulationOutcome outcome =
        run(
            new Action.PostReceives(0, 1, 1),
            BIND,
            ATOMIC,
            BIND_BOUND,
            INVALIDATE,
            new Action.Run(LATENCY_NANOS + 1),
            BIND,
            new Action.Settle());

    assertThat(outcome.failure()).isNull();
    assertThat(outcome.counts())
        .containsEntry(SimulationOutcome.POSTED, 4L)
        .containsEntry(SimulationOutcome.SUCCEEDED, 4L);
  }

  @Test
  void hasTheKeyOfTheBindThatSucceededLast() {
    SimulationOutcome outcome =
        run(
            new Action.PostReceives(0, 3, 1),
            BIND,
            ATOMIC,
            BIND_BOUND,
            ATOMIC,
            BIND_BOUND,
            INVALIDATE,
            new Action.Run(2 * LATENCY_NANOS + 1),
            INVALIDATE,
            new Action.Settle(),
            INVALIDATE,
            new Action.Settle());

    assertThat(outcome.failure()).isNull();
    assertThat(outcome.counts())
        .containsEntry(SimulationOutcome.POSTED, 8L)
        .containsEntry(SimulationOutcome.SUCCEEDED, 8L);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Simulations as data, made and reduced by jqwik: one connection of each type. */
final class TestCases {
  private static final List<QpType> TYPES = List.of(QpType.RC, QpType.UC, QpType.UD);
  private static final int MOST_BYTES = 3_000;
  private static final int ATOMIC_BYTES = 8;

  /** Longer than any packet here is late. */
  private static final long QUIET_NANOS = 200_000;

  private TestCases() {}

  /** Any work on a network with these faults, and with some of them only. */
  static Arbitrary<WorkTestCase> any(List<String> faults, int mostActions) {
    Arbitrary<List<Action>> actions = actions().list().ofMaxSize(mostActions);
    Arbitrary<FaultPlan> plans =
        Arbitraries.of(faults)
            .list()
            .ofMaxSize(faults.size())
            .map(chosen -> FaultPlan.parse(String.join("; ", chosen)));
    Arbitrary<Integer> seeds = Arbitraries.integers().between(0, 1_000);
    return Combinators.combine(seeds, connections(), actions, plans)
        .as((seed, all, done, plan) -> new WorkTestCase(seed, all, settled(done), plan));
  }

  private static List<Action> settled(List<Action> actions) {
    return Stream.concat(actions.stream(), Stream.of(new Action.Settle())).toList();
  }

  private static Arbitrary<List<ConnectionConfig>> connections() {
    Arbitrary<Mtu> mtus = Arbitraries.of(Mtu.MTU_1024, Mtu.MTU_512, Mtu.MTU_256);
    Arbitrary<Integer> reads = Arbitraries.integers().between(1, 4);
    Arbitrary<Integer> psns =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 0xff_ffff),
            Arbitraries.integers().between(0xff_ffe0, 0xff_ffff));
    return Combinators.combine(mtus, reads, psns)
        .as(
            (mtu, read, psn) ->
                TYPES.stream().map(type -> new ConnectionConfig(type, mtu, read, psn)).toList());
  }

  private static Arbitrary<Action> actions() {
    Arbitrary<Integer> qps = Arbitraries.integers().between(0, 2 * TYPES.size() - 1);
    Arbitrary<Integer> few = Arbitraries.integers().between(1, 3);
    Arbitrary<Long> times = Arbitraries.longs().between(1, 300_000);
    Arbitrary<Integer> connections = Arbitraries.integers().between(0, TYPES.size() - 1);
    Arbitrary<Integer> psns = Arbitraries.integers().between(0, 0xff_ffff);
    return Arbitraries.frequencyOf(
        Tuple.of(8, qps.flatMap(TestCases::post)),
        Tuple.of(3, Combinators.combine(qps, few, few).as(Action.PostReceives::new)),
        Tuple.of(3, times.map(Action.Run::new)),
        Tuple.of(1, qps.map(Action.Fail::new)),
        Tuple.of(1, qps.map(Action.Suspend::new)),
        Tuple.of(2, qps.map(Action.Resume::new)),
        Tuple.of(
            1,
            Combinators.combine(connections, psns, Arbitraries.of(true, false))
                .as(
                    (number, psn, broken) ->
                        new Action.Reconnect(number, psn, QUIET_NANOS, broken))),
        Tuple.of(1, Arbitraries.of(new Action.Settle())));
  }

  private static Arbitrary<Action> post(int qp) {
    Arbitrary<WrOpcode> opcodes =
        switch (TYPES.get(qp / 2)) {
          case UD -> Arbitraries.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
          case UC ->
              Arbitraries.of(
                  WrOpcode.SEND,
                  WrOpcode.SEND_WITH_IMM,
                  WrOpcode.RDMA_WRITE,
                  WrOpcode.RDMA_WRITE_WITH_IMM);
          case RC, RAW_PACKET, XRC_SEND, XRC_RECV, DRIVER ->
              Arbitraries.of(
                  WrOpcode.SEND,
                  WrOpcode.RDMA_WRITE,
                  WrOpcode.RDMA_WRITE_WITH_IMM,
                  WrOpcode.RDMA_READ,
                  WrOpcode.ATOMIC_CMP_AND_SWP,
                  WrOpcode.ATOMIC_FETCH_AND_ADD,
                  WrOpcode.ATOMIC_WRITE,
                  WrOpcode.FLUSH);
        };
    Arbitrary<Integer> bytes = Arbitraries.integers().between(0, MOST_BYTES);
    Arbitrary<Integer> pieces = Arbitraries.integers().between(1, 3);
    Arbitrary<Set<SendFlag>> flags =
        Arbitraries.of(SendFlag.SIGNALED, SendFlag.FENCE, SendFlag.SOLICITED).set();
    return Combinators.combine(opcodes, bytes, pieces, flags, Arbitraries.integers())
        .as((opcode, length, cut, flag, operand) -> work(opcode, length, cut, flag, operand))
        .map(work -> new Action.Post(qp, work));
  }

  private static WorkSpec work(
      WrOpcode opcode, int bytes, int pieces, Set<SendFlag> flags, int operand) {
    return switch (opcode) {
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, ATOMIC_WRITE ->
          new WorkSpec(opcode, ATOMIC_BYTES, 1, flags, InjectedError.NONE, operand);
      case FLUSH -> new WorkSpec(opcode, bytes / 100, 1, flags, InjectedError.NONE, operand);
      case SEND, SEND_WITH_IMM, RDMA_WRITE, RDMA_WRITE_WITH_IMM, RDMA_READ ->
          new WorkSpec(opcode, bytes, pieces, flags, InjectedError.NONE, operand);
      case SEND_WITH_INV, LOCAL_INV, BIND_MW, TSO, DRIVER1 ->
          throw new IllegalArgumentException(opcode + " is not simulated");
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.verbs.QpState;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Random programs against a model of the state machine that is too simple to be wrong. A failure
 * names the seed and the shortest program that was found for it.
 */
final class StateMachineTest {
  private static final int MOST_STEPS = 40;

  @Provide
  Arbitrary<List<StateStep>> programs() {
    Arbitrary<QpState> states = Arbitraries.of(TypeAndState.STATES);
    Arbitrary<StateStep> step =
        Arbitraries.frequencyOf(
            Tuple.of(6, states.map(StateStep.Modify::new)),
            Tuple.of(2, states.map(StateStep.ModifyWithTooMuch::new)),
            Tuple.of(2, states.map(StateStep.ModifyWithTooLittle::new)),
            Tuple.of(4, Arbitraries.just(new StateStep.Connect())),
            Tuple.of(6, Arbitraries.of(true, false).map(StateStep.PostSend::new)),
            Tuple.of(1, Arbitraries.just(new StateStep.PostBadSend())),
            Tuple.of(5, Arbitraries.just(new StateStep.PostReceive())),
            Tuple.of(5, Arbitraries.just(new StateStep.PeerPostsReceive())),
            Tuple.of(3, Arbitraries.just(new StateStep.PeerSends())),
            Tuple.of(1, Arbitraries.just(new StateStep.PeerResets())),
            Tuple.of(4, Arbitraries.just(new StateStep.RunNetwork())),
            Tuple.of(3, Arbitraries.just(new StateStep.Poll())));
    return step.list().ofMinSize(1).ofMaxSize(MOST_STEPS);
  }

  private static void run(QpKind kind, List<StateStep> program) {
    try (QpStateFixture bench = QpStateFixture.of(kind)) {
      StateProgram running = new StateProgram(kind, bench);
      program.forEach(running::run);
      running.run(new StateStep.RunNetwork());
      running.run(new StateStep.Poll());
    }
  }

  @Property(tries = 400, seed = "1")
  void reliableConnectionsBehaveLikeTheModel(@ForAll("programs") List<StateStep> program) {
    run(QpKind.RC, program);
  }

  @Property(tries = 400, seed = "2")
  void unreliableConnectionsBehaveLikeTheModel(@ForAll("programs") List<StateStep> program) {
    run(QpKind.UC, program);
  }

  @Property(tries = 400, seed = "3")
  void datagramsBehaveLikeTheModel(@ForAll("programs") List<StateStep> program) {
    run(QpKind.UD, program);
  }
}

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
  Arbitrary<List<Step>> programs() {
    Arbitrary<QpState> states = Arbitraries.of(Cell.STATES);
    Arbitrary<Step> step =
        Arbitraries.frequencyOf(
            Tuple.of(6, states.map(Step.Modify::new)),
            Tuple.of(2, states.map(Step.ModifyWithTooMuch::new)),
            Tuple.of(2, states.map(Step.ModifyWithTooLittle::new)),
            Tuple.of(4, Arbitraries.just(new Step.Connect())),
            Tuple.of(6, Arbitraries.of(true, false).map(Step.PostSend::new)),
            Tuple.of(1, Arbitraries.just(new Step.PostBadSend())),
            Tuple.of(5, Arbitraries.just(new Step.PostReceive())),
            Tuple.of(5, Arbitraries.just(new Step.PeerPostsReceive())),
            Tuple.of(3, Arbitraries.just(new Step.PeerSends())),
            Tuple.of(1, Arbitraries.just(new Step.PeerResets())),
            Tuple.of(4, Arbitraries.just(new Step.RunNetwork())),
            Tuple.of(3, Arbitraries.just(new Step.Poll())));
    return step.list().ofMinSize(1).ofMaxSize(MOST_STEPS);
  }

  private static void run(Kind kind, List<Step> program) {
    try (Bench bench = Bench.of(kind)) {
      Program running = new Program(kind, bench);
      program.forEach(running::run);
      running.run(new Step.RunNetwork());
      running.run(new Step.Poll());
    }
  }

  @Property(tries = 400, seed = "1")
  void reliableConnectionsBehaveLikeTheModel(@ForAll("programs") List<Step> program) {
    run(Kind.RC, program);
  }

  @Property(tries = 400, seed = "2")
  void unreliableConnectionsBehaveLikeTheModel(@ForAll("programs") List<Step> program) {
    run(Kind.UC, program);
  }

  @Property(tries = 400, seed = "3")
  void datagramsBehaveLikeTheModel(@ForAll("programs") List<Step> program) {
    run(Kind.UD, program);
  }
}

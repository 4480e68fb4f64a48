// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.shrink.ShrinkResult;
import io.queuepair.lab.shrink.Shrinker;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A failing run is reduced to the parts without which it does not fail in the same way. */
final class ShrinkerTest {
  private static final SimulationOptions OPTIONS =
      new SimulationOptions(FaultPlan.none(), 3, List.of(QpType.RC));

  /** The first seed whose run fails; nearly all do. */
  private static WorkTestCase failing(FaultPlan faults, UnaryOperator<Fabric> network) {
    return LongStream.rangeClosed(1, 20)
        .mapToObj(seed -> WorkTestCase.of(seed, OPTIONS.withFaults(faults)))
        .filter(one -> one.run(network).failure() != null)
        .findFirst()
        .orElseThrow();
  }

  private static ShrinkResult<WorkTestCase> shrunk(
      FaultPlan faults, UnaryOperator<Fabric> network) {
    return Shrinker.ofWork((smaller, runs) -> {}).shrink(failing(faults, network), network);
  }

  private static List<Action.Post> posts(ShrinkResult<WorkTestCase> shrunk) {
    return shrunk.smallest().actions().stream()
        .filter(Action.Post.class::isInstance)
        .map(Action.Post.class::cast)
        .toList();
  }

  /**
   * A send that takes a receive needs one, and all need time: three actions at most. A byte can
   * only be wrong in a message that has one; atomics have eight.
   */
  @ParameterizedTest
  @CsvSource({
    "PAYLOAD_CHANGED, 3, 1",
    "ATOMIC_TWICE, 2, 8",
    "WRITE_MISPLACED, 2, 1",
    "IMMEDIATE_CHANGED, 3, 0",
    "SEND_EMPTIED, 3, 1",
    "READ_CHANGED, 2, 1"
  })
  void ofABrokenDeviceOneRequestIsLeft(FaultyDevice sabotage, int mostActions, int bytes) {
    ShrinkResult<WorkTestCase> shrunk =
        shrunk(FaultPlan.parse("drop 5%; duplicate 5%"), sabotage.network());

    assertThat(shrunk.recording().outcome().failure().invariant())
        .isEqualTo(shrunk.failure().invariant());
    assertThat(shrunk.smallest().connections()).hasSize(1);
    assertThat(shrunk.smallest().actions()).hasSizeLessThanOrEqualTo(mostActions);
    assertThat(posts(shrunk)).extracting(post -> post.work().bytes()).containsExactly(bytes);
    assertThat(shrunk.smallest().faults().isEmpty()).isTrue();
  }

  /** An acknowledgement that was not sent is enough; nothing that is lost matters. */
  @Test
  void oneFaultIsLeftOfManyAndIsAboutOnePacket() {
    FaultPlan plan = FaultPlan.parse("drop 5%; delay up to 9us 5%; forge ack 10% of SEND");

    ShrinkResult<WorkTestCase> shrunk = shrunk(plan, UnaryOperator.identity());

    assertThat(posts(shrunk)).extracting(post -> post.work().bytes()).containsExactly(0);
    assertThat(shrunk.smallest().actions()).hasSize(2);
    assertThat(shrunk.smallest().faults().withSeed(0).toString())
        .matches("forge ack 1st RC_SEND_ONLY(_WITH_IMM)?");
  }

  @Test
  void theSameIsReducedToTheSame() {
    FaultPlan plan = FaultPlan.parse("drop 10%; set swap_add +1 30% of FETCH_ADD");

    ShrinkResult<WorkTestCase> shrunk = shrunk(plan, UnaryOperator.identity());

    assertThat(shrunk(plan, UnaryOperator.identity())).isEqualTo(shrunk);
    assertThat(shrunk.smallest().actions()).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void whatDoesNotFailCannotBeReduced() {
    WorkTestCase sound = WorkTestCase.of(1, OPTIONS);
    Shrinker<WorkTestCase> shrinker = Shrinker.ofWork((smaller, runs) -> {});

    assertThatThrownBy(() -> shrinker.shrink(sound))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("seed 1 does not fail");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Shrinkable;

/** Whatever is done, in whatever order, every invariant holds; jqwik reduces what breaks one. */
final class WorkloadPropertyTest {
  private static final List<String> FAULTS =
      List.of("drop 10%", "duplicate 10%", "reorder 10%", "corrupt 10%", "delay up to 50us 10%");

  @Provide
  Arbitrary<WorkTestCase> testCases() {
    return TestCases.any(FAULTS, 40);
  }

  @Property(tries = 60, seed = "11", edgeCases = EdgeCasesMode.NONE)
  void everyInvariantHoldsWhateverIsDone(@ForAll("testCases") WorkTestCase testCase) {
    assertThat(testCase.run().failure()).isNull();
  }

  /** A change of what a message holds needs a message, a receive and time. */
  @Example
  void whatBreaksAnInvariantBecomesSmall() {
    UnaryOperator<Fabric> network = FaultyPacket.PAYLOAD_CHANGED.network();
    Random random = new Random(3);
    var generator = TestCases.any(FAULTS.subList(0, 2), 12).generator(1_000, false);
    Shrinkable<WorkTestCase> failing = generator.next(random);
    while (failing.value().run(network).failure() == null) {
      failing = generator.next(random);
    }

    for (Optional<Shrinkable<WorkTestCase>> smaller = Optional.of(failing); smaller.isPresent(); ) {
      failing = smaller.get();
      smaller =
          failing.shrink().filter(one -> one.value().run(network).failure() != null).findFirst();
    }

    assertThat(failing.value().faults().isEmpty()).isTrue();
    assertThat(failing.value().actions())
        .hasSizeLessThanOrEqualTo(3)
        .filteredOn(Action.Post.class::isInstance)
        .hasSize(1);
  }
}

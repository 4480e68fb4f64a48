// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.LinkForm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random things in random order; the number is the seed with which a failure can be repeated. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class RandomWalkCasesTest {
  private static final int STEPS = 2000;

  @Parameter private LinkForm form;

  private void walk(long seed, int clients) {
    RandomWalk walk = new RandomWalk(form.fabric(), seed, clients);

    walk.walk(STEPS);

    walk.end();
    assertThat(walk.successes()).isPositive();
    assertThat(walk.failures()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  @Tag("GUT-random_walk_test-RandomWalkTest.SingleNodeSingleClientRdma")
  void oneClientWalksAlone(long seed) {
    walk(seed, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  @Tag("GUT-random_walk_test-RandomWalkTest.SingleNodeTwoClientsRdma")
  void twoClientsWalk(long seed) {
    walk(seed, 2);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queuepair.emulator.profile.DeviceProfile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MutationCheckTest {
  private final StringWriter out = new StringWriter();
  private final MutationCheck check =
      new MutationCheck(DeviceProfile.standard(), AcceptedDifferences.none());

  /** A recording of one call that succeeded, and does here: each change of it is noticed. */
  MutationCheckTest() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    Step step =
        new Step(
            0,
            "A",
            "alloc_pd",
            json.objectNode().put("name", "pd"),
            json.objectNode().put("ret", 0));
    check.add(new Scenario("one_call", "wire", List.of(step)));
  }

  private boolean run(int count, int most) {
    return check.run(count, 7, new PrintWriter(out, true), tried -> tried < most);
  }

  @Test
  void makesAsManyChangesAsAreWanted() {
    assertThat(run(10, Integer.MAX_VALUE)).isTrue();

    assertThat(out.toString())
        .isEqualTo(String.format("mutations=10 reported=10 not-compared=0%n"));
  }

  @Test
  void saysHowToGoOnIfItIsInterrupted() {
    assertThat(run(10, 3)).isTrue();

    assertThat(out.toString().lines())
        .containsExactly(
            "interrupted after 3 of 10 changes; go on with other ones: --mutations 7 --seed 8",
            "mutations=3 reported=3 not-compared=0");
  }
}

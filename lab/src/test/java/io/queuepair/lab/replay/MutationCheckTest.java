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

  @Test
  void saysHowToGoOnIfItIsInterrupted() {
    assertThat(check.run(10, 7, new PrintWriter(out, true), tried -> tried < 3)).isTrue();

    assertThat(out.toString().lines())
        .containsExactly(
            "interrupted after 3 of 10 changes; go on with other ones: --mutations 7 --seed 8",
            "mutations=3 reported=3 not-compared=0");
  }
}

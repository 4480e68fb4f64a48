// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.lab.simulation.WorkTestCase;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is left of a failing simulation is a scenario. */
@Execution(ExecutionMode.CONCURRENT)
final class ShrunkScenarioTest {
  private static final SimulationOptions OPTIONS =
      new SimulationOptions(FaultPlan.parse("forge ack 10% of SEND"), 3, List.of(QpType.RC));

  @Test
  void theScenarioShowsTheFailure() {
    WorkTestCase failing =
        LongStream.rangeClosed(1, 20)
            .mapToObj(seed -> WorkTestCase.of(seed, OPTIONS))
            .filter(one -> one.run().failure() != null)
            .findFirst()
            .orElseThrow();
    Shrinker<WorkTestCase> shrinker = Shrinker.ofWork((smaller, runs) -> {});

    List<String> scenario = ShrunkScenario.of(shrinker.shrink(failing), "queuepair simulate");

    // It succeeds, but no receive was posted, so the peer cannot have received it.
    assertThat(scenario).noneMatch(line -> line.startsWith("post_recv"));
    assertThat(scenario).anyMatch(line -> line.matches("[ab]\\.qp0 wr_id 0: SEND 0 bytes, SUCC.*"));
    assertThat(scenario).anyMatch(line -> line.startsWith("fault forge ack 1st RC_SEND_ONLY"));
    assertThat(String.join("\n", scenario))
        .contains("`%s, but the peer has not received it`")
        .contains("`queuepair simulate` fails at step");
  }
}

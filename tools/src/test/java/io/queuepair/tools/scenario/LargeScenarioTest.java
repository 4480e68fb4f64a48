// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scenario takes processor time in proportion to its lines. */
final class LargeScenarioTest {
  private static final int FEW = 2_000;
  private static final int TIMES = 4;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create_cq a.cN cqe=1",
        "create_qp a.qN max_send_wr=1 max_recv_wr=1",
        "reg_mr a.mN length=1",
        "modify_qp a.qp state=RESET",
        "fault drop 1st ACK to 10.0.0.2",
        "  port=1"
      })
  void fourTimesTheLinesTakeNoSixteenfoldTime(String line) {
    nanos(line, FEW); // Compiles what both need.

    long few = nanos(line, FEW);
    long many = nanos(line, TIMES * FEW);

    assertThat(many).as("%d ns for %d lines", few, FEW).isLessThan(2 * TIMES * few + 200_000_000);
  }

  @Test
  void hasAddressesForManyDevices() {
    List<String> lines = new ArrayList<>(List.of("# Title", "", "Why.", "", "```commands"));
    for (int i = 1; i <= 257; i++) {
      lines.add("device d" + i);
    }
    lines.addAll(List.of("query_gid d256", "query_gid d257", "```"));

    ScenarioFile file = ScenarioFile.of(Path.of("it.md"), lines);
    ScenarioRun run = ScenarioRun.of(file, StateRecorder.NO_WATCHER, fabric -> fabric);

    assertThat(run.failure()).isEmpty();
    assertThat(String.join(" ", run.lines())).contains("::ffff:10.0.1.0", "::ffff:10.0.1.1");
  }

  private static long nanos(String line, int count) {
    List<String> lines = new ArrayList<>(List.of("# Title", "", "Why.", "", "```commands"));
    lines.addAll(List.of("device a", "create_qp a.qp", "query_port a"));
    for (int i = 0; i < count; i++) {
      lines.add(line.replace("N", "" + i));
    }
    lines.add("```");
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      ScenarioFile file = ScenarioFile.of(Path.of("it.md"), lines);
      ScenarioRun run = ScenarioRun.of(file, StateRecorder.NO_WATCHER, fabric -> fabric);
      assertThat(run.failure().isEmpty()).isEqualTo(!line.startsWith(" "));
    } catch (ScenarioException order) {
      assertThat(order).hasMessageContaining("put it before");
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
  }
}

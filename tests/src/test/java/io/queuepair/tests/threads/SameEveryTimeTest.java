// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.threads.Schedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four threads beside that of the test give one trace, however busy the machine is. */
final class SameEveryTimeTest {
  private static final int RUNS = Integer.getInteger("threads.runs", 20);
  private static final int REQUESTS = 6;

  /** All packets of a run, when it ended, and what its schedule decided. */
  private static List<String> trace(Schedule schedule) {
    List<String> lines = new ArrayList<>();
    try (Emulator emulator =
        Emulator.on(LadderTrace.on(InMemoryFabric.virtualTime(), lines::add))) {
      emulator.threads().schedule(schedule).strict();
      EchoProgram one = new EchoProgram(emulator, 0);
      EchoProgram two = new EchoProgram(emulator, 1);
      emulator.start("server 1", () -> one.serve(REQUESTS));
      emulator.start("server 2", () -> two.serve(REQUESTS));
      emulator.start("client 1", () -> one.call(REQUESTS, true));
      emulator.start("client 2", () -> two.call(REQUESTS, false));
      emulator.threads().join();
      assertThat(emulator.threads().nonDeterminism()).isEmpty();
      lines.add("ends at " + emulator.now());
      lines.addAll(emulator.threads().switches());
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "verbs", "random(1)", "random(-7)"})
  void runAfterRun(String schedule) throws IOException {
    Set<List<String>> traces = new HashSet<>();

    for (int run = 0; run < RUNS; run++) {
      traces.add(trace(Schedule.parse(schedule)));
    }

    assertThat(traces).hasSize(1);
    keep(".schedules", "schedule " + schedule, traces.iterator().next());
  }

  /**
   * For a comparison of what JDKs do: tests/threads/run. Test classes run at the same time, so each
   * has a file of its own.
   */
  static void keep(String suffix, String title, List<String> trace) throws IOException {
    String file = System.getProperty("threads.traces");
    if (file != null) {
      List<String> lines = new ArrayList<>(List.of(title));
      lines.addAll(trace);
      Files.write(
          Path.of(file + suffix), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  @Test
  void butSeedsDiffer() {
    Set<List<String>> traces = new HashSet<>();

    for (int seed = 0; seed < RUNS; seed++) {
      traces.add(trace(Schedule.random(seed)));
    }

    assertThat(traces).hasSizeGreaterThan(RUNS / 2);
  }
}

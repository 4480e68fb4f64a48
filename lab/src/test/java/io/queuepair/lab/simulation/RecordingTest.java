// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.tools.scenario.ScenarioText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A simulation can be had again: as a scenario, and with the faults that it really met. */
@Execution(ExecutionMode.CONCURRENT)
final class RecordingTest {
  /** When a packet was sent, which way, and which one: all but addresses and keys of memory. */
  private static final Pattern PACKET =
      Pattern.compile(
          "^ *([0-9.]+ us)  (?:fd00:[0:]+)?([12ab]) (<---|--->) (?:fd00:[0:]+)?[12ab]"
              + "  (\\w+ qp=\\w+ psn=\\d+)");

  private static List<String> packets(List<String> lines) {
    List<String> packets = new ArrayList<>();
    for (String line : lines) {
      Matcher matcher = PACKET.matcher(line);
      if (matcher.find()) {
        packets.add(text(matcher));
      }
    }
    return packets;
  }

  private static String text(MatchResult packet) {
    String left = packet.group(2).replace('1', 'a').replace('2', 'b');
    return packet.group(1) + " " + left + packet.group(3) + " " + packet.group(4);
  }

  private static Recording record(long seed, FaultPlan faults, List<String> ladder) {
    return WorkTestCase.of(seed, SimulationOptions.DEFAULT)
        .withFaults(faults)
        .record(fabric -> LadderTrace.on(fabric, ladder::add));
  }

  /** The whole of a scenario file. */
  private static List<String> scenario(FaultPlan faults, Recording recording) {
    List<String> lines = new ArrayList<>(List.of("# Recorded", "", "All of it.", "```commands"));
    faults.each().forEach(one -> lines.add("fault " + one.withSeed(0)));
    lines.add("fault seed " + faults.seed());
    lines.addAll(recording.lines());
    lines.add("```");
    return lines;
  }

  @ParameterizedTest
  @CsvSource({
    "1, ''",
    "2, drop 20%; reorder 10%",
    "3, corrupt 10%; duplicate 10%",
    "4, delay up to 50us 20%",
    "5, drop 5%; duplicate 5%; reorder 5%; corrupt 5%; delay up to 50us 5%"
  })
  void theScenarioSendsTheSamePacketsAtTheSameTimes(long seed, String plan) {
    FaultPlan faults = FaultPlan.parse(plan).withSeed(seed);
    List<String> ladder = new ArrayList<>();
    Recording recording = record(seed, faults, ladder);

    List<String> performed = ScenarioText.recorded(scenario(faults, recording));

    assertThat(packets(ladder)).hasSizeGreaterThan(20);
    assertThat(packets(performed)).containsExactlyElementsOf(packets(ladder));
    assertThat(performed).noneMatch(line -> line.startsWith("refused"));
  }

  @Test
  void whatChanceHasDoneCanBeDoneWithoutChance() {
    FaultPlan faults = FaultPlan.parse("drop 5%; duplicate 5%; reorder 5%; delay up to 9us 5%");
    List<String> ladder = new ArrayList<>();
    Recording recording = record(9, faults, ladder);
    List<String> again = new ArrayList<>();

    Recording second = record(9, recording.appliedFaults(), again);

    assertThat(recording.appliedFaults().toString()).doesNotContain("%").contains("drop 1st RC_");
    assertThat(packets(again)).isNotEmpty().containsExactlyElementsOf(packets(ladder));
    assertThat(second.outcome().trace()).isEqualTo(recording.outcome().trace());
  }
}

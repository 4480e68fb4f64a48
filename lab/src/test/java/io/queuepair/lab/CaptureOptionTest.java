// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LimitedProcess;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code --pcap} of the commands whose devices are in memory. */
final class CaptureOptionTest {
  private static final String RECORDING =
      """
      {"name":"NAME","mode":"loopback","steps":[\
      {"side":"A","op":"alloc_pd","args":{"name":"pd"},"res":{"ret":0}}]}
      """;

  @TempDir private Path folder;

  private String capture() {
    return folder.resolve("it.pcapng").toString();
  }

  private String decoded() {
    return CommandRun.of("decode", capture()).out();
  }

  private String written(String content) throws IOException {
    return Files.writeString(folder.resolve("it"), content).toString();
  }

  @Test
  void scenarioWritesWhatPasses() {
    String send = SourceTree.root().resolve("docs/scenarios/send.md").toString();
    CommandRun.of("scenario", "--pcap", capture(), send);

    assertThat(decoded()).contains("RC_SEND_ONLY").contains("RC_ACKNOWLEDGE");
  }

  static boolean canLimitFiles() {
    return LimitedProcess.isPossible();
  }

  @Test
  @EnabledIf("canLimitFiles")
  void aCaptureThatEndsEarlyIsSaidAndReadable() throws Exception {
    LimitedProcess run = LimitedProcess.of("demo", "--pcap", capture());

    assertThat(run.exitCode()).isOne();
    assertThat(run.output().lines().filter(line -> !line.startsWith(" ")).toList())
        .contains("queuepair demo: the capture " + capture() + " ends early: File too large")
        .noneMatch(line -> line.contains("WARN"));
    CommandRun decoded = CommandRun.of("decode", capture());
    assertThat(decoded.exitCode()).isZero();
    assertThat(decoded.out()).contains("RC_SEND_ONLY");
  }

  @Test
  void replayRefusesASecondScenario() throws IOException {
    String file = written(RECORDING.replace("NAME", "one") + RECORDING.replace("NAME", "two"));

    CommandRun run = CommandRun.of("replay", "--pcap", capture(), file);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--pcap is for one scenario; --only matches one and two");
  }

  /**
   * Of a benchmark the capture would be what is measured; a site and a playground have the packets
   * of scenarios on their pages; an answer to be graded is a scenario; a service has the option
   * where it starts; the others move none.
   */
  private static Stream<String> commandsWithTraffic() {
    Set<String> without =
        Set.of(
            "decode",
            "transitions",
            "check-transitions",
            "bench",
            "totals",
            "grade",
            "site",
            "serve",
            "service");
    return Stream.concat(
        Stream.of("service start"),
        Main.commandLine().getSubcommands().keySet().stream()
            .filter(command -> !without.contains(command)));
  }

  @ParameterizedTest
  @MethodSource("commandsWithTraffic")
  void everyCommandWithTrafficHasTheOption(String command) {
    assertThat(CommandRun.of((command + " --help").split(" ")).out()).contains("--pcap=FILE");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.scenario.ScenarioPlayer;
import io.queuepair.tools.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The button of a packet adds a fault that happens to this packet, in every scenario. */
@Execution(ExecutionMode.CONCURRENT)
final class AddedFaultTest {
  private static final int MANY_STEPS = 100_000;

  /** Buttons of a scenario are tried in such steps from the first on: each runs it again. */
  private static final int EVERY = 5;

  /** Time, opcode or message, and fields of a packet, and what its first button adds. */
  private static final Pattern DROP =
      Pattern.compile(
          "<span>([0-9.]+) \u00b5s: \\S+ sends (CM \\S+|\\S+) to [^ :]+: ([^<]*)</span>\n+"
              + "<button [^>]*value=\"(drop [^\"]*)\"");

  /** A packet that a fault can name and that has none. */
  private static final Pattern PACKET =
      Pattern.compile(
          " *[0-9.]+ us  \\S+ +(?:--->|<---) \\S+(?! +ETHERNET) +(?!.*, \\w+: \\w+ ).*");

  private static Stream<String> scenarios() {
    return SourceTree.files(SourceTree.root().resolve("docs/scenarios"), ".md").stream()
        .map(file -> file.getFileName().toString().replace(".md", ""))
        .filter(name -> !name.equals("README"))
        .sorted();
  }

  private static ScenarioPlayer run(String text) {
    return ScenarioPlayer.tried(text.lines().toList(), MANY_STEPS);
  }

  private static boolean isDropped(ScenarioPlayer run, MatchResult button) {
    boolean isMessage = button.group(2).startsWith("CM "); // Its opcode follows.
    String packet = (isMessage ? "" : button.group(2) + " ") + button.group(3);
    String happened = packet + ", dropped: " + button.group(4);
    return run.output().stream()
        .anyMatch(line -> line.strip().startsWith(button.group(1)) && line.endsWith(happened));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void theButtonOfAPacketDropsIt(String name) {
    String text = Site.scenario(name).orElseThrow();
    ScenarioPlayer original = run(text);
    boolean hasPackets =
        original.output().stream().anyMatch(line -> PACKET.matcher(line).matches());
    List<MatchResult> buttons =
        DROP.matcher(original.page(PlaygroundPage.around("", text, original, List.of())))
            .results()
            .toList();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < buttons.size(); i += EVERY) {
      MatchResult button = buttons.get(i);
      String fault = button.group(4);
      if (!isDropped(run(AddedFault.to(text, fault)), button)) {
        wrong.add(button.group(1) + " us: " + fault);
      }
    }

    assertThat(!buttons.isEmpty()).isEqualTo(hasPackets);
    assertThat(wrong).isEmpty();
  }

  @Test
  void standsBehindTheFaultsThatAreThere() {
    String text = "# T\n\nx\n\n```commands\nfault drop 1st ACK\ndevice a\n```\n";

    assertThat(AddedFault.to(text, "drop 2nd ACK"))
        .isEqualTo(
            "# T\n\nx\n\n```commands\nfault drop 1st ACK\nfault drop 2nd ACK\ndevice a\n```\n");
  }

  @Test
  void addsOneLineAtMost() {
    String text = "# T\n\nx\n\n```commands\n```\n";

    assertThat(AddedFault.to(text, "drop 1st ACK\n```\n<script>"))
        .isEqualTo("# T\n\nx\n\n```commands\nfault drop 1st ACK\n```\n");
    assertThat(AddedFault.to(text, " ")).isEqualTo(text);
    assertThat(AddedFault.to("no commands", "drop 1st ACK")).isEqualTo("no commands");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.scenario.ScenarioPlayer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An exercise is checked in the playground too. */
final class PlaygroundPageTest {
  private static String pageOf(String command) {
    String text = "# T\n\nx\n\n```commands\ndevice a\ncreate_qp a.qp\n" + command + "\n```\n";
    ScenarioPlayer run = ScenarioPlayer.tried(text.lines().toList(), 1_000);
    return run.page(PlaygroundPage.around("", text, run, List.of()));
  }

  @Test
  void saysWhatIsMissing() {
    assertThat(pageOf("??? say in which state a.qp is"))
        .contains(
            "<p role=\"alert\">Line 8: something is to be filled in here: say in which state a.qp"
                + " is. This is the run up to there.</p>");
  }

  @Test
  void saysWhatIsNotAsExpected() {
    // A queue pair is created in RESET.
    assertThat(pageOf("expect state a.qp INIT"))
        .contains(
            "Line 8: expect: a.qp is in RESET; expected is INIT. This is the run up to there");
  }

  @Test
  void saysThatAllIsAsExpected() {
    assertThat(pageOf("expect state a.qp RESET"))
        .contains("<p role=\"status\">All that is expected has happened.</p>");
    assertThat(pageOf("query_qp a.qp qp_state")).doesNotContain("All that is expected");
  }
}

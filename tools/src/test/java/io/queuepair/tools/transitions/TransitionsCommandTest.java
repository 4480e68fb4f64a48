// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import org.junit.jupiter.api.Test;

final class TransitionsCommandTest {
  @Test
  void printsEveryTypeByDefaultAndFitsATerminal() {
    CommandRun run = CommandRun.of("transitions");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .containsSubsequence("RC", "UC", "UD", "RAW_PACKET", "XRC_SEND", "XRC_RECV")
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80).doesNotEndWith(" "));
  }

  @Test
  void printsWhatIsRequiredAndInBracketsWhatIsAllowed() {
    assertThat(CommandRun.of("transitions", "--type", "rc").lines())
        .startsWith("RC", "  RESET -> RESET", "  RESET -> INIT   ACCESS_FLAGS PKEY_INDEX PORT")
        .contains(
            "  RESET -> ERR",
            "  INIT  -> RTR    AV PATH_MTU RQ_PSN MIN_RNR_TIMER MAX_DEST_RD_ATOMIC DEST_QPN",
            "                  [ACCESS_FLAGS PKEY_INDEX ALT_PATH CAP]");
  }

  @Test
  void printsTheTableOfTheProfile() {
    assertThat(CommandRun.of("transitions", "--type", "UC", "--profile", "soft-roce").out())
        .doesNotContain("RESET -> ERR")
        .doesNotContain("CAP");
  }

  @Test
  void drawsADiagram() {
    assertThat(CommandRun.of("transitions", "--type", "UD", "--format", "mermaid").lines())
        .startsWith("stateDiagram-v2")
        .contains(
            "  RESET --> INIT: PKEY_INDEX<br/>PORT<br/>QKEY",
            "  RTS --> SQE: automatic, a send failed",
            "  note right of RESET: modify_qp to RESET works in every state");
  }

  @Test
  void drawsAPicture() {
    CommandRun run = CommandRun.of("transitions", "--type", "UC", "--format", "svg");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines().get(0)).startsWith("<svg class=\"qp-states\"");
    assertThat(run.out()).contains(">AV PATH_MTU RQ_PSN DEST_QPN<").endsWith("</svg>\n");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The explorer of states: every state, type and transition has its page. */
@Execution(ExecutionMode.CONCURRENT)
final class StatePagesTest {
  private static final Pattern ROW = Pattern.compile("\\| ([A-Z]+) \\| ([A-Z]+) \\|.*");
  private static final List<String> TYPES =
      List.of("rc", "uc", "ud", "raw-packet", "xrc-send", "xrc-recv");

  private static String page(String name) {
    return MadeSite.FILES.get("states/" + name + ".html");
  }

  /** The transitions of the page of the reference that is generated from the device's table. */
  private static List<String> transitions() {
    List<String> found = new ArrayList<>();
    String type = "";
    for (String line :
        SourceTree.lines(SourceTree.root().resolve("docs/reference/qp-state-machine.md"))) {
      if (line.startsWith("## ")) {
        type = line.substring(3).toLowerCase(Locale.ROOT).replace('_', '-');
      }
      for (MatchResult row : ROW.matcher(line).results().toList()) {
        String states = row.group(1) + "-to-" + row.group(2);
        found.add(type + "-" + states.toLowerCase(Locale.ROOT));
      }
    }
    return found;
  }

  @Test
  void everyStateTypeAndTransitionHasItsPage() {
    // InfiniBand Architecture, 10.3.1: seven states. Three types go to SQE by themselves.
    Stream<String> states = Stream.of("reset", "init", "rtr", "rts", "sqd", "sqe", "err");
    Stream<String> automatic =
        Stream.of("uc", "ud", "raw-packet").map(type -> type + "-rts-to-sqe");
    List<String> expected =
        Stream.of(states, TYPES.stream(), transitions().stream(), automatic, Stream.of("index"))
            .flatMap(names -> names)
            .map(name -> "states/" + name + ".html")
            .toList();

    assertThat(transitions()).hasSize(6 * 23);
    assertThat(MadeSite.FILES.keySet().stream().filter(path -> path.startsWith("states/")))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void everyChangeOfStateThatARunCanCoverHasAPageWithARun() {
    List<String> possible =
        SourceTree.lines(SourceTree.root().resolve("docs/reference/coverage.md")).stream()
            .dropWhile(line -> !line.equals("## Transitions"))
            .filter(line -> line.startsWith("`"))
            .limit(1)
            .flatMap(line -> Stream.of(line.replaceAll("[`.]", "").split(", ", -1)))
            .toList();

    assertThat(possible).hasSize(132);
    assertThat(possible)
        .allSatisfy(
            name -> {
              String[] words = name.toLowerCase(Locale.ROOT).replace('_', '-').split(" ", -1);
              assertThat(page(words[0] + "-" + words[1] + "-to-" + words[3]))
                  .as(name)
                  .containsPattern(
                      "(?s)<h2 id=\"scenarios\">.*href=\"../scenarios/[a-z0-9-]+.html");
            });
  }

  /**
   * From ibv_modify_qp(3), 10.3.1 of the InfiniBand Architecture (a completion error of an
   * unreliable send leads to SQE), and qp_state_table of Linux, which has no row from RESET to ERR
   * and no IB_QP_CAP.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          rc-init-to-rtr | attributes/path_mtu.html
          rc-init-to-rtr | allowed
          rc-init-to-rtr | attributes/access_flags.html
          rc-init-to-rtr | .min_rnr_timer = 12
          rc-init-to-rtr | .minRnrTimer(12)
          rc-init-to-rtr | EINVAL: INIT -&gt; RTR (RC) needs RQ_PSN
          rc-init-to-rtr | Linux Soft-RoCE does not take CAP here
          ud-reset-to-init | href="../reference/reset-to-init.html"
          ud-rts-to-sqe | by itself; no call can ask for it
          ud-rts-to-sqe | A send completed with an error
          rc-sqe-to-rts | no queue pair of type RC is ever in SQE
          uc-rts-to-sqe | <strong>UC</strong>
          uc-rts-to-sqe | href="../states/raw-packet-rts-to-sqe.html"
          rc-rts-to-err | A program asks for it, or an error leads to it
          rc-reset-to-err | Linux Soft-RoCE refuses this transition
          sqd | href="../scenarios/state-sqd.html"
          sqd | href="../states/rc-sqd-to-rts.html"
          index | href="../states/raw-packet.html"
          ud | <svg class="qp-states"
          ud | <a href="sqe.html" aria-label="SQE receives only">
          ud | <a href="ud-rts-to-sqe.html" aria-label="RTS to SQE, by itself: send failed">
          rc-rtr-to-rts | class="arrow here"
          """)
  void saysWhatIsKnownOfAStateAndATransition(String page, String text) {
    assertThat(page(page)).contains(text);
  }

  @Test
  void aTransitionHasItsRequiredAttributesAsAMask() {
    assertThat(page("rc-init-to-rtr")).contains("IBV_QP_STATE |\n    IBV_QP_AV |");
    assertThat(page("ud-reset-to-init"))
        .contains("IBV_QP_PKEY_INDEX |\n    IBV_QP_PORT |\n    IBV_QP_QKEY");
    assertThat(page("rc-reset-to-init")).doesNotContain("Soft-RoCE");
    assertThat(page("rc")).doesNotContain("SQE receives");
  }
}

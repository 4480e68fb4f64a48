// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.Main;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recorded calls are answered as the profile says, and the pages about it are up to date. */
@Execution(ExecutionMode.CONCURRENT)
final class ModifyPagesTest {
  private static final Path ROOT = SourceTree.root();
  private static final String RECORDING =
      "tests/src/test/resources/io/queuepair/tests/conformance/modify_qp_linux.tsv";

  private static String run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    new Main().run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    assertThat(err).hasToString("");
    return out.toString();
  }

  @Test
  void softRoceAnswersEveryRecordedCallAlike() {
    String answer =
        run("check-transitions", "--profile", "soft-roce", ROOT.resolve(RECORDING).toString());

    assertThat(answer).isEqualToNormalizingNewlines("cases=4661 agree=4661 differ=0\n");
  }

  @Test
  void thePageOfDifferencesIsUpToDateAndExplainsAll() throws IOException {
    String generated =
        run("check-transitions", "--format", "markdown", ROOT.resolve(RECORDING).toString());

    assertThat(generated).doesNotContain("Anything else");
    GeneratedPage.byTool(
            "docs/reference/modify-differences.md",
            "check-transitions --format markdown " + RECORDING)
        .check(generated);
  }

  @ParameterizedTest
  @EnumSource(
      value = QpType.class,
      names = {"RC", "UC", "UD", "RAW_PACKET", "XRC_SEND", "XRC_RECV"})
  void aDiagramHasTheStatesOfItsTypeAndAWayIntoEachOfThem(QpType type) {
    List<String> lines =
        run("transitions", "--type", type.name(), "--format", "mermaid").lines().toList();
    Set<String> states =
        Arrays.stream(QpState.values()).map(Enum::name).collect(Collectors.toSet());
    states.remove("UNKNOWN");
    if (!Set.of("UC", "UD", "RAW_PACKET").contains(type.name())) {
      states.remove("SQE"); // Reliable services go to ERR when a send fails.
    }
    Set<String> drawn = new TreeSet<>();
    Set<String> entered = new TreeSet<>();
    for (String line : lines) {
      Matcher arrow = Pattern.compile("  (\\S+) --> (\\w+).*").matcher(line);
      if (arrow.matches()) {
        drawn.add(arrow.group(1));
        drawn.add(arrow.group(2));
        entered.add(arrow.group(2));
      }
    }

    drawn.remove("[*]");
    assertThat(drawn).containsExactlyInAnyOrderElementsOf(states);
    assertThat(entered).containsAll(drawn);
    assertThat(lines.contains("  RTS --> SQE: automatic, a send failed"))
        .isEqualTo(states.contains("SQE"));
    assertThat(lines).contains("  RTR --> ERR: automatic, error");
  }

  @Test
  void thePageOfStatesIsUpToDate() throws IOException {
    GeneratedPage.byTool("docs/reference/qp-state-machine.md", "transitions --format markdown")
        .check(run("transitions", "--format", "markdown"));
  }
}

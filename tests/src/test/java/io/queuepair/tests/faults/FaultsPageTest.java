// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.verbs.SendWr;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every plan on the page about faults is one, and does something. */
final class FaultsPageTest {
  private static final Pattern PLAN = Pattern.compile("```plan\\n(.*?)```", Pattern.DOTALL);

  static List<String> plans() throws IOException {
    String page = Files.readString(SourceTree.root().resolve("docs/faults.md"));
    return PLAN.matcher(page).results().map((MatchResult one) -> one.group(1)).toList();
  }

  @ParameterizedTest
  @MethodSource("plans")
  void isAPlanThatGivesItsTextBackAndRuns(String text) {
    FaultPlan plan = FaultPlan.parse(text);

    assertThat(plan.isEmpty()).isFalse();
    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan);
    try (Pair pair = Pair.on(new FaultFabric(InMemoryFabric.virtualTime(), plan)).connect()) {
      pair.a().postSend(SendWr.send(1));
      pair.drain();
      assertThat(pair.a().sendCompletions()).hasSize(1);
    }
  }
}

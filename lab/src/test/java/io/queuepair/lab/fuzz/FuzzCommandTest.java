// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("a fuzz run watches the heap of the process")
final class FuzzCommandTest {
  private static CommandRun fuzz(String arguments) {
    return CommandRun.of(("fuzz " + arguments).split(" "));
  }

  @Test
  void theLastLineHasTheNumbers() {
    CommandRun run = fuzz("--datagrams 2000");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    List<String> lines = run.lines();
    assertThat(lines.get(lines.size() - 1))
        .matches("datagrams=2000 accepted=\\d+ dropped=\\d+ violations=0 trace=[0-9a-f]{16}");
  }

  @Test
  void hitsArePrinted() {
    CommandRun run = fuzz("--datagrams 2000 --seed 3");

    assertThat(run.lines().get(0)).matches("drop reasons: TOO_SHORT \\d+, .*, BAD_ICRC \\d+, .*");
    assertThat(run.lines().get(1)).matches("responder checks: ACCEPT \\d+, .*");
    assertThat(run.lines().get(3)).matches("NAK codes sent: RNR_NAK \\d+, .*");
  }

  @Test
  void progressGoesToStandardError() {
    CommandRun run = fuzz("--datagrams 100 --progress");

    assertThat(run.err()).contains("100 %, 100 of 100 datagrams").contains("0 violations");
    assertThat(run.out()).doesNotContain("100 %,");
  }

  @Test
  void noDatagramsAreRefused() {
    CommandRun run = fuzz("--datagrams 0");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("0 datagrams are none");
  }
}

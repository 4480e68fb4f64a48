// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CheckTransitionsCommandTest {
  @TempDir private Path directory;

  private CommandRun check(String text, String... options) throws IOException {
    Path file = directory.resolve("calls.tsv");
    Files.writeString(file, text.replace(' ', '\t'));
    String[] args = new String[options.length + 2];
    args[0] = "check-transitions";
    System.arraycopy(options, 0, args, 1, options.length);
    args[args.length - 1] = file.toString();
    return CommandRun.of(args);
  }

  @Test
  void saysOfEveryDifferenceWhereItIsAndWhy() throws IOException {
    CommandRun run =
        check(
            """
            # comment
            RC RESET INIT 0x39 0 INIT
            RC RTR RTS 0x1 0 RTS
            UD INIT INIT 0x80000 22 INIT
            """);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .containsExactly(
            "line 3: RC RTR -> RTS with 0x1 (STATE): recorded 0, then RTS; here EINVAL, then RTR"
                + " (ibv_modify_qp: EINVAL: RTR -> RTS (RC) needs TIMEOUT, RETRY_CNT, RNR_RETRY,"
                + " MAX_QP_RD_ATOMIC, SQ_PSN)",
            "line 4: UD INIT -> INIT with 0x80000 (CAP): recorded EINVAL, then INIT; here 0, then"
                + " INIT",
            "cases=3 agree=1 differ=2");
  }

  @Test
  void succeedsIfNothingDiffers() throws IOException {
    CommandRun run = check("RC RESET ERR 0x1 22 RESET\n", "--profile", "soft-roce");

    assertThat(run)
        .isEqualTo(new CommandRun(0, "cases=1 agree=1 differ=0" + System.lineSeparator(), ""));
  }

  @Test
  void countsTheKindsOfDifferences() throws IOException {
    String calls =
        """
        RC RESET ERR 0x1 22 RESET
        UC RESET ERR 0x1 22 RESET
        RC RTR RTR 0x0 22 RTR
        RC RTS RTS 0x1 12 RTS
        """;

    CommandRun run = check(calls, "--format", "markdown");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .contains("4 calls, 0 agree, 4 differ.")
        .anyMatch(line -> line.startsWith("| RESET -> ERR is allowed | 2 | "))
        .anyMatch(line -> line.startsWith("| An empty mask does nothing, also in RTR | 1 | "))
        .anyMatch(line -> line.startsWith("| Anything else | 1 | "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          RC RTS SQD 0x1 0             | 5 columns are not the 6 of type, cur, next,
          RD RTS SQD 0x1 0 SQD         | 'RD' is not one of [RC,
          RC RTX SQD 0x1 0 SQD         | 'RTX' is not one of [RESET,
          RC RTS SQD 1x 0 SQD          | '1x' is not a number
          RC RTS SQD 0x200000 0 SQD    | mask 0x200000 has bits without a name: 0x200000
          RC RTS SQD 0x1 7 SQD         | errno 7 is not one that verbs return
          UD SQE RTS 0x1 0 RTS         | no call brings a queue pair to SQE
          DRIVER RESET INIT 0x1 0 INIT | ibv_create_qp: EOPNOTSUPP
          """)
  void aBrokenFileGetsOneSentenceWithTheLine(String line, String reason) throws IOException {
    CommandRun run = check("# comment\n\n" + line + "\n");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("calls.tsv line 3: " + reason);
  }
}

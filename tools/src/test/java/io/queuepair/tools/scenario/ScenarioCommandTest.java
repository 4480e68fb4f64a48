// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LimitedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
final class ScenarioCommandTest {
  private static final List<String> HEAD = List.of("# A message", "", "Why.", "", "```commands");
  private static final List<String> SETUP =
      List.of(
          "device a", "device b", "create_qp a.qp", "create_qp b.qp", "connect a.qp b.qp sq_psn=7");
  private static final List<String> SEND =
      List.of(
          "post_recv b.qp wr_id=20 sge=b.mr:64",
          "post_send a.qp wr_id=1",
          "  opcode=SEND sge=a.mr:5",
          "run",
          "poll_cq a.cq");
  private static final List<String> EXPECTED =
      List.of(
          "",
          "```expected",
          "> connect a.qp b.qp sq_psn=7",
          "      0.000 us  a.qp: RESET -> INIT",
          "      0.000 us  b.qp: RESET -> INIT",
          "      0.000 us  a.qp: INIT -> RTR",
          "      0.000 us  b.qp: INIT -> RTR",
          "      0.000 us  a.qp: RTR -> RTS",
          "      0.000 us  b.qp: RTR -> RTS",
          "> post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5",
          "      0.000 us  a ---> b  RC_SEND_ONLY qp=0x000011 psn=7 ackreq 5 bytes",
          "> run",
          "      1.000 us  a <--- b  RC_ACKNOWLEDGE qp=0x000011 psn=7 ACK credits=0 msn=1",
          "> poll_cq a.cq",
          "a.qp wr_id 1: SEND 5 bytes, SUCCESS (success)",
          "```");

  @TempDir private Path folder;

  private String file(List<String> commands, List<String> expected) throws IOException {
    List<String> lines = new java.util.ArrayList<>(HEAD);
    lines.addAll(SETUP);
    lines.addAll(commands);
    lines.add("```");
    lines.addAll(expected);
    return Files.write(folder.resolve("it.md"), lines).toString();
  }

  @Test
  void showsWhatIsDifferentAndFails() throws IOException {
    List<String> wrong =
        EXPECTED.stream().map(line -> line.replace("wr_id 1: SEND 5", "wr_id 1: SEND 6")).toList();

    CommandRun run = CommandRun.of("scenario", file(SEND, wrong));

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines())
        .containsExactly(
            folder.resolve("it.md") + ": A message",
            "  - is expected, + happened",
            "    ...",
            "          1.000 us  a <--- b  RC_ACKNOWLEDGE qp=0x000011 psn=7 ACK credits=0 msn=1",
            "    > poll_cq a.cq",
            "  - a.qp wr_id 1: SEND 6 bytes, SUCCESS (success)",
            "  + a.qp wr_id 1: SEND 5 bytes, SUCCESS (success)",
            "scenarios=1 agree=0 differ=1");
  }

  /** RTS lasts only until the send that waited for it has failed. */
  @Test
  void showsAStateThatIsLeftWithinTheSameStatement() throws IOException {
    String file =
        file(
            List.of(
                "create_qp a.uc type=UC",
                "create_qp b.uc type=UC",
                "connect a.uc b.uc",
                "modify_qp a.uc state=SQD",
                "post_send a.uc wr_id=1 opcode=SEND sge=a.mr:5@7",
                "modify_qp a.uc state=RTS"),
            List.of());

    CommandRun.of("scenario", "--record", file);

    assertThat(Files.readAllLines(Path.of(file)))
        .containsSubsequence(
            "> modify_qp a.uc state=RTS",
            "      0.000 us  a.uc: SQD -> RTS",
            "      0.000 us  a.uc: RTS -> SQE");
  }

  @Test
  void recordsWhatHappensAndNothingElse() throws IOException {
    String complete = file(SEND, EXPECTED);
    List<String> lines = Files.readAllLines(Path.of(complete));
    String incomplete = file(SEND, List.of());

    CommandRun run = CommandRun.of("scenario", "--record", incomplete);

    assertThat(run.exitCode()).isZero();
    assertThat(Files.readAllLines(Path.of(incomplete))).isEqualTo(lines);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          sned a.qp                             | sned: there is no such statement; there are [
          modfy_qp a.qp state=INIT              | no such statement (did you mean 'modify_qp'?); th
          modify_qp a.qp sate=INIT              | argument 'sate': 'INIT' is not a number, nor one
          modify_qp a.qp sate=INIT              | such as b.mr.rkey, b.qp.num (did you mean 'state'
          post_send c.qp wr_id=1 opcode=SEND    | 'c.qp' does not begin with the name of a device
          post_send a.no wr_id=1 opcode=SEND    | no object a.no
          post_send a.qp opcode=SEND            | a work request needs wr_id=NUMBER
          post_send a.qp wr_id=1 opcode=SEMD    | SEMD is no constant of WrOpcode, which has [RDMA
          post_send a.qp wr_id=1 opcode=SEND x=1 | argument 'x' is not known; there are [ah,
          post_send a.qp wr_id=one opcode=SEND  | 'one' is not a number, nor one of an object
          post_recv a.qp wr_id=1 sge=a.mr       | 'a.mr' is not REGION:BYTES
          post_recv a.qp wr_id=1 sge=b.mr:8     | 'b.mr' is not an object of device a
          modify_qp a.qp state=RTX              | RTX is no constant of QpState, which has [RESET,
          modify_qp a.qp state=RTS retrycnt=7   | 'retrycnt' is not known (did you mean 'retry_cnt'
          poll_cq a.cq -1                       | '-1' is not a number of completions from 1 to 1
          poll_cq a.cq 2147483647               | '2147483647' is not a number of completions from
          poll_cq a.cq 99999999999999999999     | '99999999999999999999' is not a number of compl
          run 99999999999 events                | '99999999999' is not a number of events from 0
          run -1 events                         | '-1' is not a number of events from 0 to 20000
          run 99999999999s                      | '99999999999' is not a number of s from 0 to 1000
          run 99999999999999999999ns            | '99999999999999999999' is not a number of ns from
          fill a.mr:99999999999 0x5a            | '99999999999' is not a number of bytes from 0 to
          fill a.mr+99999999999999999999 0x5a   | '99999999999999999999' is not a number of bytes
          show a.mr:99999999999999999999        | '99999999999999999999' is not a number of bytes
          port a 99999999999 down               | '99999999999' is not a number of ports from 1 to
          reg_mr a.big length=2147483647        | bytes is too large; either is 0 to 268435456
          run 5 minutes                         | it is written: run, run TIME
          poll_cq a.qp                          | 'a.qp' is no CompletionQueue; the device has [
          device a                              | there is a device a already
          query_qp a.qp colour                  | 'colour' is no attribute; there are [qp_state,
          query_qp a.qp a.qp                    | 'a.qp' is no attribute; there are [qp_state,
          """)
  void namesTheLineAndWhatIsAllowed(String command, String message) throws IOException {
    CommandRun run = CommandRun.of("scenario", file(List.of("", command), List.of()));

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines().get(0)).startsWith(folder.resolve("it.md") + ":12: ").contains(message);
    assertThat(run.lines().get(1)).isEqualTo("scenarios=1 agree=0 differ=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          run                                | fault drop 1st ACK to a | put it before any send
          post_recv a.qp wr_id=1 sge=a.mr:8  | fault fail ibv_reg_mr with EIO | before any device
          """)
  void faultsCountFromTheBeginning(String before, String fault, String message) throws IOException {
    CommandRun run = CommandRun.of("scenario", file(List.of("", before, fault), List.of()));

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines().get(0)).contains("count from the beginning: ").contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no title                            | 1: the first line is not '# ' and the title
          # title                             | 1: from here on no line is '```commands'
          # title;;```commands;run;```        | no paragraph that says what the scenario shows
          # t;;Why.;;```commands;fault drip;``` | 6: fault: line 1, column 1: found "drip", allowed
          """)
  void namesWhatAFileLacks(String lines, String message) throws IOException {
    Path wrong = Files.write(folder.resolve("it.md"), List.of(lines.split(";")));

    CommandRun run = CommandRun.of("scenario", wrong.toString());

    assertThat(run.lines().get(0)).startsWith(wrong + ":").contains(message);
  }

  @Test
  void goesOnAfterAFileThatCannotBeRead() throws IOException {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {'#', ' ', (byte) 0xff});

    CommandRun run =
        CommandRun.of("scenario", "nonex", binary.toString(), "/", file(SEND, EXPECTED));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(": cannot read nonex: there is no such file")
        .contains(": cannot read " + binary + ": it is not UTF-8 text")
        .contains(": cannot read /: it is a directory")
        .hasLineCount(3);
    assertThat(run.lines()).containsExactly("scenarios=4 agree=1 differ=3");
  }

  static boolean canLimitFiles() {
    return LimitedProcess.isPossible();
  }

  @Test
  @EnabledIf("canLimitFiles")
  void recordingLeavesTheFileAsItWasWhenTheDiskIsFull() throws Exception {
    Path file = Path.of(file(List.of("query_qp a.qp", "query_qp b.qp"), List.of()));
    String before = Files.readString(file);

    LimitedProcess run = LimitedProcess.of("scenario", "--record", file.toString());

    assertThat(run.exitCode()).isOne();
    assertThat(run.output())
        .isEqualToNormalizingNewlines(
            file + " cannot be written: File too large\nscenarios=1 agree=0 differ=1\n");
    assertThat(file).hasContent(before);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }
}

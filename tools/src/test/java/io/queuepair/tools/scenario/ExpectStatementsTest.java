// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
final class ExpectStatementsTest {
  private static final List<String> HEAD =
      List.of("# A message", "", "Why.", "", "```commands", "device a", "device b");
  private static final List<String> MESSAGE =
      List.of(
          "create_qp a.qp",
          "create_qp b.qp",
          "connect a.qp b.qp",
          "post_recv b.qp wr_id=20 sge=b.mr:64",
          "fill a.mr \"hello\"",
          "post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5");

  @TempDir private Path folder;

  private CommandRun run(String... commands) throws IOException {
    List<String> lines = new ArrayList<>(HEAD);
    lines.addAll(MESSAGE);
    lines.addAll(List.of(commands));
    lines.add("```");
    Path file = Files.write(folder.resolve("it.md"), lines);
    return CommandRun.of("scenario", file.toString());
  }

  /** A SEND of five bytes over RC: one packet there, its acknowledgement back. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          expect packet from=a RC_SEND_ONLY psn=0 ackreq
          run; expect packet from=b RC_ACKNOWLEDGE ACK
          expect packet from=a; expect packet from=b "ACK credits=0"; expect no packet
          run; expect completion a.cq wr_id=1 status=SUCCESS; expect completion a.cq none
          run; expect completion a.cq wr_id=1 opcode=SEND
          run; expect completion b.cq wr_id=20 byte_len=5; expect memory b.mr:5 "hello"
          modify_qp a.qp state=ERR; expect state a.qp ERR; expect state b.qp RTS
          modify_qp a.qp state=RTR; expect state a.qp RTS; expect refused EINVAL
          modify_qp a.qp state=INIT; expect refused EINVAL "RTS -> INIT"
          """)
  void agreesWithWhatHappens(String commands) throws IOException {
    CommandRun run = run(commands.split("; "));

    assertThat(run.lines()).containsExactly("scenarios=1 agree=1 differ=0");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          expect packet RC_ACKNOWLEDGE      | the next packet is from=a RC_SEND_ONLY qp=0x000011
          expect packet psn=1               | psn=0 ackreq 5 bytes; expected is psn=1
          expect packet from=b              | expected is from=b
          expect packet "NAK remote access" | expected is "NAK remote access"
          expect no packet                  | the next packet is from=a RC_SEND_ONLY
          expect completion a.cq wr_id=1    | there is no completion in a.cq; expected is wr_id=1
          expect completion a.cq state=1    | there is no completion in a.cq
          expect state a.qp ERR             | a.qp is in RTS; expected is ERR
          expect state a.qp                 | it is written: expect state QP STATE
          expect memory a.mr:5 "world"      | a.mr:5 is "hello"; expected is "world"
          expect event a QP_FATAL           | the next event of a is none; expected is QP_FATAL
          expect drop b OUT_OF_ORDER        | b has dropped nothing; expected is OUT_OF_ORDER
          expect refused EINVAL             | the command before was not refused; expected is EINVAL
          expect sunshine soon              | it is written: expect packet [from=DEVICE] OPCODE
          ??? let b poll                    | something is to be filled in here: let b poll
          run ???                           | something is to be filled in here: run ???
          """)
  void saysWhatIsAndWhatIsExpected(String command, String message) throws IOException {
    CommandRun run = run(command);

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines().get(0)).startsWith(folder.resolve("it.md") + ":14: ").contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          expect completion a.cq wr_id=2        | wr_id 1: SEND 5 bytes, SUCCESS (success); expected
          expect completion a.cq none           | SUCCESS (success); expected is none
          expect completion a.cq colour=red     | 'colour' is no field; there are [wr_id, status,
          expect packet from=a RC_SEND_ONLY     | the next packet is from=b RC_ACKNOWLEDGE
          """)
  void saysWhatHasHappened(String command, String message) throws IOException {
    CommandRun run = run("run", command);

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines().get(0)).contains(message);
  }
}

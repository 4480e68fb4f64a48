// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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
          expect state a.qp RESETT          | 'RESETT' is no state (did you mean 'RESET'?): [RESET,
          run until a.qp=ERROR              | 'ERROR' is no state: [RESET, INIT, RTR, RTS,
          ibv_poll_cq a.cq                  | it is written without ibv_: poll_cq
          run 1.3ms                         | run TIME (a whole number: 5ms, 10us, 500ns, 2s)
          expect state a.qp                 | it is written: expect state QP STATE
          expect memory a.mr:5 "world"      | a.mr:5 is "hello"; expected is "world"
          expect event a QP_FATAL           | the next event of a is none; expected is QP_FATAL
          expect drop b OUT_OF_ORDER        | b has dropped nothing; expected is OUT_OF_ORDER
          expect refused EINVAL             | the command before was not refused; expected is EINVAL
          expect sunshine soon              | it is written: expect packet [from=DEVICE] OPCODE
          ??? let b poll                    | something is to be filled in here: let b poll
          run ???                           | something is to be filled in here: run ???
          run; expect completion a.cq wr_id=2 | wr_id 1: SEND 5 bytes, SUCCESS (success); expected
          run; expect completion a.cq none    | SUCCESS (success); expected is none
          run; expect completion a.cq colour=red | 'colour' is no field; there are [wr_id, status,
          run; expect packet from=a RC_SEND_ONLY | the next packet is from=b RC_ACKNOWLEDGE
          modify_qp a.qp state=INIT; expect state a.qp INIT | 14 was refused: ibv_modify_qp: EINVAL
          fill a.mr "x"; modify_qp b.qp state=INIT; modify_qp b.qp state=SQE; expect state b.qp ERR\
           | expected is ERR; line 15 was refused: ibv_modify_qp: EINVAL: RTS -> INIT
          expect completion a.cq wr_id=1    | packets are under way, which 'run' lets arrive
          expect memory b.mr:5 "hello"      | expected is "hello"; packets are under way
          """)
  void saysWhatIsWhatIsExpectedAndWhatMayHaveLedToIt(String commands, String message)
      throws IOException {
    String[] lines = commands.split("; ");

    CommandRun run = run(lines);

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines().get(0))
        .startsWith(folder.resolve("it.md") + ":" + (13 + lines.length) + ": ")
        .contains(message);
  }

  /** A refusal that was expected leads to nothing, and after a run nothing is under way. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          run; modify_qp a.qp state=INIT; expect refused EINVAL; expect state a.qp ERR | is ERR
          run; expect memory b.mr:5 "world" | expected is "world"
          """)
  void namesNothingThatLedNowhere(String commands, String message) throws IOException {
    assertThat(run(commands.split("; ")).lines().get(0)).endsWith(message);
  }

  @Test
  void takesImmediateDataAsCWritesIt() throws IOException {
    CommandRun run =
        run(
            "post_recv b.qp wr_id=21 sge=b.mr:64",
            "post_send a.qp wr_id=2 opcode=SEND_WITH_IMM imm=0x2a sge=a.mr:8",
            "expect packet RC_SEND_ONLY_WITH_IMM imm=0x0000002a");

    assertThat(run.lines()).containsExactly("scenarios=1 agree=1 differ=0");
  }

  @Test
  void saysWhatKeepsTheNetworkBusy() throws IOException {
    CommandRun run =
        run("post_send a.qp wr_id=2 opcode=SEND sge=a.mr:5", "run", "expect no packet");

    assertThat(run.lines().get(0))
        .contains(":15: run: after 20000 events the network is still busy; 'run TIME' would end: ")
        .contains("the first, wr_id 2, SEND to QP 0x000011 of 10.0.0.2, was answered with")
        .contains("RNR NAKs, as no receive is posted, and RNR_RETRY is 7, without limit");
  }
}

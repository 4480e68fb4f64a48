// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoCommandTest {
  private final CommandRun run = CommandRun.of("demo");

  @Test
  void isTheSameInEveryRun() {
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(CommandRun.of("demo")).isEqualTo(run);
  }

  @Test
  void walksBothQueuePairsThroughTheirStates() {
    assertThat(run.lines())
        .containsSubsequence(
            "   state of a: RESET, of b: RESET",
            "   state of a: INIT, of b: INIT",
            "   state of a: RTR, of b: RTR",
            "   state of a: RTS, of b: RTS",
            "   state of a: ERR, of b: ERR");
  }

  @Test
  void showsThePacketsOfEachOperationInOrder() {
    assertThat(packets())
        .containsExactly(
            "---> RC_SEND_ONLY 100",
            "<--- RC_ACKNOWLEDGE 100",
            "---> RC_RDMA_WRITE_FIRST 101",
            "---> RC_RDMA_WRITE_MIDDLE 102",
            "---> RC_RDMA_WRITE_LAST 103",
            "<--- RC_ACKNOWLEDGE 103",
            "---> RC_RDMA_READ_REQUEST 104",
            "<--- RC_RDMA_READ_RESPONSE_FIRST 104",
            "<--- RC_RDMA_READ_RESPONSE_MIDDLE 105",
            "<--- RC_RDMA_READ_RESPONSE_LAST 106",
            "---> RC_RDMA_WRITE_ONLY 107",
            "---> RC_SEND_ONLY 108",
            "<--- RC_ACKNOWLEDGE 107");
    assertThat(run.out()).contains("NAK remote access error");
  }

  @Test
  void theReadmeQuotesIt() {
    List<String> readme = SourceTree.lines(SourceTree.root().resolve("README.md"));
    List<String> quoted = readme.subList(readme.indexOf("```text") + 1, readme.size());

    assertThat(run.lines().stream().map(DemoCommandTest::withoutMargin))
        .containsSubsequence(
            quoted.subList(0, quoted.indexOf("```")).stream()
                .map(DemoCommandTest::withoutMargin)
                .filter(line -> !line.isEmpty())
                .toList());
  }

  private static String withoutMargin(String line) {
    return line.replaceFirst("^[ |]+", "");
  }

  private List<String> packets() {
    return run.lines().stream()
        .filter(line -> line.startsWith("   |"))
        .map(
            line ->
                line.replaceFirst(".*10.0.0.1 (....) 10.0.0.2  (\\S+) .*psn=(\\d+).*", "$1 $2 $3"))
        .toList();
  }

  @Test
  void showsEveryCompletionAndTheEvent() {
    assertThat(run.lines())
        .filteredOn(line -> line.contains("completion at") || line.contains("event at"))
        .containsExactly(
            "   completion at a: wr_id 1: SEND 15 bytes, SUCCESS (success)",
            "   completion at b: wr_id 20: RECV 15 bytes, SUCCESS (success)",
            "   completion at a: wr_id 2: RDMA_WRITE 2500 bytes, SUCCESS (success)",
            "   completion at a: wr_id 3: RDMA_READ 2500 bytes, SUCCESS (success)",
            "   completion at a: wr_id 4: REM_ACCESS_ERR (remote access error)",
            "   completion at a: wr_id 5: WR_FLUSH_ERR (Work Request Flushed Error)",
            "   completion at a: wr_id 10: WR_FLUSH_ERR (Work Request Flushed Error)",
            "   completion at b: wr_id 21: WR_FLUSH_ERR (Work Request Flushed Error)",
            "   asynchronous event at b: QP_ACCESS_ERR (local access violation work queue error)"
                + " of QP 0x000011");
  }

  @Test
  void tellsEachReasonOnceAndWithinTheWidth() {
    List<String> lines = run.lines();

    assertThat(lines)
        .filteredOn(line -> line.startsWith("     why: "))
        .satisfiesExactly(
            line -> assertThat(line).contains("the peer answered PSN 107 with NAK 0x62"),
            line -> assertThat(line).contains("flushed, because the send with wr_id 4 failed"),
            line -> assertThat(line).isEqualTo("     why: the same"),
            line -> assertThat(line).contains("flushed, because the queue pair refused"));
    assertThat(lines).filteredOn(line -> line.endsWith("REM_ACCESS_ERR: see above")).hasSize(1);
    assertThat(lines)
        .filteredOn(line -> !line.startsWith("   |") && !line.contains("completion at"))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
  }
}

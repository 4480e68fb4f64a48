// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, in one line that names the culprit and the limit. */
@Execution(ExecutionMode.CONCURRENT)
final class OptionRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "write-bw -s 0|size 0 is not 1 to 1073741824",
        "write-bw -n 4|iters 4 is not 5 to 100000000",
        "write-bw -p 65536|TCP port 65536 is not 1 to 65535",
        "write-bw -m 1000|mtu 1000 is not 256, 512, 1024, 2048 or 4096",
        "write-bw -c UD|Invalid value for option '--connection': 'UD'"
            + " is not one that write-bw has: RC, UC, XRC",
        "read-lat -c uc|Invalid value for option '--connection': 'uc'"
            + " is not one that read-lat has: RC, XRC",
        "send-bw -c XRC_SEND|Invalid value for option '--connection': 'XRC_SEND'"
            + " is not one that send-bw has: RC, UC, UD, XRC",
        "send-bw -c UD -s 100000|size 100000 is above the path MTU 4096, the most of UD",
        "send-lat -c UD -m 512 -s 513|size 513 is above the path MTU 512, the most of UD",
        "send-bw -u 32|ACK timeout code 32 is not 0 to 31",
        "send-bw -u soon|ACK timeout code soon is not 0 to 31",
        "write-bw --out_json_file F|--out_json_file needs --out_json",
        "write-bw -D 4|duration 4 s is not above twice the margin of 2 s; set the margin with -f",
        "write-bw -D 9 -n 9|-n and -D do not go together: choose a count or a time",
        "write-bw -D 9 -a|-a and -D do not go together: choose sizes or a time",
        "write-lat -b|-b is for bandwidth, not for write-lat",
        "send-lat -q 2|send-lat uses one queue pair, not -q",
        "atomic-bw -s 16|size 16 is not for atomics, which move 8 bytes",
        "atomic-bw -a|-a is not for atomics, which move 8 bytes",
        "send-bw --rate_limit=5|perftest's option --rate_limit is not offered here",
        "write-bw -e|-e is not for write-bw, as WRITEs are not announced to the target",
        "write-lat -e|-e is not for write-lat, as WRITEs are not announced to the target",
        "send-bw -e -D 5|-e and -D do not go together: choose events or a time",
        "send-bw -I 913|inline_size 913 is not 0 to 912",
        "read-bw -I 64|-I is not for read-bw, which sends no data",
        "atomic-lat -I 8|-I is not for atomic-lat, which sends no data",
        "send-lat -l 4|-l is for bandwidth, not for send-lat",
        "send-bw -l 3|iters 1000 is not a multiple of the list of 3 (-l)",
        "write-bw -l 3 -n 100|iters 100 is not a multiple of the list of 3 (-l)",
        "send-bw -l 5 -Q 2|the list of 5 (-l) is not a multiple of cq-mod 2",
        "send-bw -l 200|the list of 200 (-l) is above tx-depth 128",
        "write-bw --use-srq|--use-srq is for SENDs, not write-bw",
        "send-bw --use-srq -c UC|--use-srq does not go with -c UC:"
            + " such queue pairs have receive queues of their own",
        "send-bw --use-srq -q 8 -r 4|rx-depth 4 is below the queue pairs that share it (-q)",
        "send-bw -c XRC -q 8 -r 4|rx-depth 4 is below the queue pairs that share it (-q)",
        "send-bw -R -c UC|-R does not go with -c UC: librdmacm has no UC",
        "send-bw -R -c XRC|-R does not go with -c XRC, as in perftest",
        "send-bw -R --listen ::|--listen is for TCP: with -R a server listens at the address of"
            + " its device (--bind)",
        "atomic-lat -s 16|size 16 is not for atomics, which move 8 bytes",
      })
  void wrongOptionsAreRefused(String command, String sentence) {
    CommandRun run = CommandRun.of(command.split(" ", -1));

    String name = "queuepair " + command.split(" ", 2)[0];
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .isEqualToNormalizingNewlines(name + ": " + sentence + " (see '" + name + " --help')\n");
  }

  @Test
  void theHelpHasExamples() {
    CommandRun run = CommandRun.of("send-bw", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("the other side of ib_send_bw (perftest 4.5)")
        .contains("queuepair send-bw --bind 127.0.0.3 127.0.0.2")
        .contains("ib_send_bw -x 1 -n 1000 HOST")
        .doesNotContain("rate_limit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "write-bw|-a, -b, -q, -t, -Q, -I, -l, -R|-r, -o, -A, -e",
        "write-lat|-a, -c, -I, -R|-b, -q, -t, -Q, -r, -o, -A, -e, -l",
        "read-bw|-b, -q, -o, -e, -l, -R|-r, -A, -I",
        "read-lat|-a, -o, -e, -R|-b, -q, -t, -Q, -r, -A, -I, -l",
        "send-bw|-b, -q, -r, -e, -I, -l, -R|-o, -A",
        "send-lat|-a, -r, -e, -I, -R|-b, -q, -t, -Q, -o, -A, -l",
        "atomic-bw|-b, -q, -o, -A, -e, -l, -R|-a, -r, -I",
        "atomic-lat|-o, -A, -e, -R|-a, -b, -q, -t, -Q, -r, -I, -l",
      })
  void theHelpListsWhatTheCommandTakes(String command, String listed, String hidden) {
    CommandRun run = CommandRun.of(command, "--help");

    for (String option : listed.split(", ", -1)) {
      assertThat(run.out()).containsPattern("(?m)^ +" + option + ",");
    }
    for (String option : hidden.split(", ", -1)) {
      assertThat(run.out()).doesNotContainPattern("(?m)^ +" + option + ",");
    }
  }
}

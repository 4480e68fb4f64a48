package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.CommandRun;
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
            + " is not one that write-bw has: RC, UC",
        "read-lat -c uc|Invalid value for option '--connection': 'uc'"
            + " is not one that read-lat has: RC",
        "send-bw -c XRC_SEND|Invalid value for option '--connection': 'XRC_SEND'"
            + " is not one that send-bw has: RC, UC, UD",
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
        "send-lat -R|perftest's option -R is not offered here",
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
        "write-bw|-a, -b, -q, -t, -Q|-r, -o, -A",
        "write-lat|-a, -c|-b, -q, -t, -Q, -r, -o, -A",
        "read-bw|-b, -q, -o|-r, -A",
        "read-lat|-a, -o|-b, -q, -t, -Q, -r, -A",
        "send-bw|-b, -q, -r|-o, -A",
        "send-lat|-a, -r|-b, -q, -t, -Q, -o, -A",
        "atomic-bw|-b, -q, -o, -A|-a, -r",
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

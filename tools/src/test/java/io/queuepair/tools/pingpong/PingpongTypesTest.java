// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.RunningCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ping-pongs of all types but XRC, on two addresses of this host. */
@Timeout(300)
final class PingpongTypesTest {
  private static final String ADDRESS =
      "LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID ::ffff:127(\\.\\d+){3}";

  @ParameterizedTest
  @CsvSource({
    "rc, epoll, 1, -c -r 7, 1",
    "rc, epoll, 1000, -e -r 7, 1",
    "rc, epoll, 65536, -cm4096 -r 7, 1",
    "rc, nio, 65536, -ce -r 7, 1",
    "uc, epoll, 1, -c -r 7, 1",
    "uc, epoll, 65536, -ce -r 7, 1",
    "uc, nio, 4096, -cm4096 -r 7, 1",
    "ud, epoll, 1, -c -r 7, 1",
    "ud, epoll, 4096, -ce -r 7, 1",
    "ud, nio, 1000, -e -r 7, 1",
    "srq, epoll, 1, -c -q 16 -r 16, 16",
    "srq, epoll, 65536, -ce -q 3 -r 7, 3",
    "srq, epoll, 1000, -ce -q 255 -r 500, 255",
    "srq, nio, 4096, -cm4096 -q 1 -r 2, 1"
  })
  void twoOfThemPlayToTheEnd(String type, String transport, int size, String flags, int queuePairs)
      throws Exception {
    String[] options = "--transport %s -n 60 -s %d %s".formatted(transport, size, flags).split(" ");
    Players players = Players.of(type);

    try (RunningCommand server = players.server(options)) {
      CommandRun client = players.client(options);

      assertPlayed(client, queuePairs, size);
      assertPlayed(server.await(), queuePairs, size);
    }
  }

  /** The server sends again what it has no acknowledgement for when the client is done. */
  @ParameterizedTest
  @CsvSource({"srq, 60, 50th..62nd ACK", "rc, 3, 3rd ACK"})
  void aClientThatIsDoneAcknowledgesWhatTheServerSendsAgain(String type, String count, String lost)
      throws Exception {
    String[] options = {"-n", count};
    Players players = Players.of(type);

    try (RunningCommand server = players.server(options)) {
      CommandRun client =
          players.client(
              Stream.concat(Stream.of(options), Stream.of("--faults", "drop " + lost))
                  .toArray(String[]::new));

      assertThat(client.exitCode()).isZero();
      assertThat(server.await().err()).isEmpty();
      assertThat(server.await().exitCode()).isZero();
    }
  }

  private static void assertPlayed(CommandRun run, int queuePairs, int size) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    List<String> lines = run.lines();
    assertThat(lines).hasSize(2 * queuePairs + 2);
    assertThat(lines.subList(0, queuePairs))
        .allSatisfy(line -> assertThat(line).matches("  local address:  " + ADDRESS));
    assertThat(lines.subList(queuePairs, 2 * queuePairs))
        .doesNotHaveDuplicates()
        .allSatisfy(line -> assertThat(line).matches("  remote address: " + ADDRESS));
    assertThat(lines.get(2 * queuePairs))
        .matches(120 * size + " bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec");
    assertThat(lines.get(2 * queuePairs + 1))
        .matches("60 iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter");
  }

  /** A client without -c sends pages without marks. */
  @ParameterizedTest
  @ValueSource(strings = {"rc", "uc", "ud", "srq"})
  void theServerReportsAPageThatIsNotMarked(String type) throws Exception {
    Players players = Players.of(type);

    try (RunningCommand server = players.server("-c", "-s", "4000", "-n", "20")) {
      CommandRun client = players.client("-s", "4000", "-n", "20");
      CommandRun checked = server.await();

      assertThat(client.exitCode()).isZero();
      assertThat(checked.exitCode()).isEqualTo(1);
      assertThat(checked.lines()).contains("invalid data in page 0");
    }
  }
}

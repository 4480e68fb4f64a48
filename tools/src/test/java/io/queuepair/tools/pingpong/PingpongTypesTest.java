// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ping-pongs over UC, UD and with a shared receive queue, on two addresses of this host. */
@Timeout(300)
final class PingpongTypesTest {
  private static final String ADDRESS =
      "LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID ::ffff:127(\\.\\d+){3}";

  @ParameterizedTest
  @CsvSource({
    "uc, epoll, 1, -c",
    "uc, epoll, 65536, -ce",
    "uc, nio, 4096, -cm4096",
    "ud, epoll, 1, -c",
    "ud, epoll, 4096, -ce",
    "ud, nio, 1000, -e"
  })
  void twoOfThemPlayToTheEnd(String type, String transport, int size, String flags)
      throws Exception {
    String[] options = {"--transport", transport, "-n", "60", "-s", "" + size, flags, "-r", "7"};
    Players players = Players.of(type);

    try (RunningCommand server = players.server(options)) {
      CommandRun client = players.client(options);

      assertPlayed(client, 1, size);
      assertPlayed(server.await(), 1, size);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "epoll, 1, -c, 16, 16",
    "epoll, 65536, -ce, 3, 7",
    "epoll, 1000, -ce, 255, 500",
    "nio, 4096, -cm4096, 1, 2"
  })
  void queuePairsShareTheirReceives(
      String transport, int size, String flags, int queuePairs, int rxDepth) throws Exception {
    String[] options = {
      "--transport",
      transport,
      "-n",
      "60",
      "-s",
      "" + size,
      flags,
      "-q",
      "" + queuePairs,
      "-r",
      "" + rxDepth
    };
    Players players = Players.of("srq");

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
  @CsvSource({"uc", "ud", "srq"})
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

  @Test
  void aDatagramLongerThanThePortCarriesIsRefused() {
    Players players = Players.of("ud");

    CommandRun run =
        CommandRun.of(players.arguments("--bind", LoopbackNetwork.SERVER, "-s", "4097"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualToNormalizingNewlines(
            "queuepair pingpong: Requested size 4097 is larger than the port MTU (4096)\n");
  }

  @Test
  void bothSidesNeedTheSameNumberOfQueuePairs() throws Exception {
    Players players = Players.of("srq");

    try (RunningCommand server = players.server("-q", "2")) {
      CommandRun client = players.client("-q", "3");

      assertThat(client.exitCode()).isEqualTo(1);
      assertThat(server.await().err())
          .isEqualToNormalizingNewlines(
              "queuepair pingpong: Couldn't use remote address:"
                  + " the peer has 3 queue pairs, this side 2; give both the same -q\n");
    }
  }

  @Test
  void aServerListensAtTheAddressOfItsDevice() throws Exception {
    Players players = Players.of("rc");
    try (RunningCommand server = players.server("-n", "1")) {
      assertThat(players.clientOf("127.0.0.1", LoopbackNetwork.CLIENT, "-n", "1").err())
          .contains("Couldn't connect to 127.0.0.1:" + players.port() + ": connection refused");
      assertThat(players.client("-n", "1").exitCode()).isZero();
      assertThat(server.await().exitCode()).isZero();
    }
  }

  @Test
  void aServerListensWhereItIsTold() throws Exception {
    Players players = Players.of("rc");
    try (RunningCommand server = players.server("-n", "1", "--listen", "127.0.0.1")) {
      assertThat(players.client("-n", "1").err())
          .contains("Couldn't connect to " + LoopbackNetwork.SERVER + ":" + players.port());
      assertThat(players.clientOf("127.0.0.1", LoopbackNetwork.CLIENT, "-n", "1").exitCode())
          .isZero();
      assertThat(server.await().exitCode()).isZero();
    }
  }

  @Test
  void aServerListensAtEveryAddressIfItIsTold() throws Exception {
    Players players = Players.of("rc");
    try (RunningCommand server = players.server("-n", "1", "--listen", "0.0.0.0")) {
      assertThat(players.clientOf("127.0.0.1", LoopbackNetwork.CLIENT, "-n", "1").exitCode())
          .isZero();
      assertThat(server.await().exitCode()).isZero();
    }
  }
}

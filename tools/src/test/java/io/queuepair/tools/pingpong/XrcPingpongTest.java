// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ping-pong over extended reliable connections, on addresses of this host. */
@Timeout(300)
final class XrcPingpongTest {
  private static final String ADDRESS =
      ": LID 0000, QPN RECV [0-9a-f]{6} SEND [0-9a-f]{6}, PSN [0-9a-f]{6}, SRQN [0-9a-f]{6},"
          + " GID ::ffff:127(\\.\\d+){3}";
  private static final String LOCAL = "   local" + ADDRESS;
  private static final String REMOTE = "  remote" + ADDRESS;
  private static final String BYTES =
      "\\d+ bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec";
  private static final String ITERS =
      "\\d+ iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter";

  private final Players players = Players.of("xrc");

  @ParameterizedTest
  @CsvSource({"epoll, 1, -m256", "epoll, 65536, -e", "nio, 4096, -e", "nio, 1000, -m4096"})
  void twoOfThemPlayToTheEnd(String transport, int size, String flags) throws Exception {
    String[] options = {"--transport", transport, "-n", "60", "-s", "" + size, flags};

    try (RunningCommand server = players.startServer(options)) {
      CommandRun client = clientOfServerToCome(LoopbackNetwork.CLIENT, options);

      assertPlayed(client, LOCAL, REMOTE, BYTES, ITERS);
      assertPlayed(server.await(), REMOTE, LOCAL, BYTES, ITERS);
    }
  }

  /** A client may be given the options of the server, how many clients there are among them. */
  @Test
  void aServerPlaysWithSeveralClients() throws Exception {
    try (RunningCommand server = players.startServer("--clients", "2", "-n", "40")) {
      var other =
          CompletableFuture.supplyAsync(
              () -> clientOfServerToCome(LoopbackNetwork.SECOND_CLIENT, "-n", "40"));
      CommandRun client =
          clientOfServerToCome(LoopbackNetwork.CLIENT, "--clients", "2", "-n", "40");

      assertPlayed(client, LOCAL, REMOTE, BYTES, ITERS);
      assertPlayed(other.join(), LOCAL, REMOTE, BYTES, ITERS);
      assertPlayed(server.await(), REMOTE, LOCAL, REMOTE, LOCAL, BYTES, ITERS);
    }
  }

  /** As the original, a server prints nothing until a client has come. */
  private CommandRun clientOfServerToCome(String address, String... options) {
    CommandRun run = players.clientAt(address, options);
    while (run.err().contains("connection refused")) {
      run = players.clientAt(address, options);
    }
    return run;
  }

  private static void assertPlayed(CommandRun run, String... lines) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).hasSize(lines.length);
    for (int i = 0; i < lines.length; i++) {
      assertThat(run.lines().get(i)).matches(lines[i]);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command over UDP, on two addresses of this host. */
@Timeout(300)
final class PingpongTest {
  private static final String ADDRESS_LINE =
      "  (local address: |remote address:) LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6},"
          + " GID ::ffff:127(\\.\\d+){3}";

  private final Players players = Players.of("rc");
  private final int port = players.port();

  @ParameterizedTest
  @CsvSource({
    "epoll, 1, -c",
    "epoll, 1000, -e",
    "epoll, 65536, -ce",
    "epoll, 65536, -cm4096",
    "nio, 1, -e",
    "nio, 1000, -c",
    "nio, 65536, -ce"
  })
  void twoOfThemPlayToTheEnd(String transport, int size, String flags) throws Exception {
    String[] options = {"--transport", transport, "-n", "60", "-s", "" + size, flags, "-r", "7"};

    try (RunningCommand server = server(options)) {
      CommandRun client = client(options);

      assertPlayed(client, size);
      assertPlayed(server.await(), size);
    }
  }

  private static void assertPlayed(CommandRun run, int size) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).hasSize(4);
    assertThat(run.lines().get(0)).matches(ADDRESS_LINE);
    assertThat(run.lines().get(1)).matches(ADDRESS_LINE);
    assertThat(run.lines().get(2))
        .matches(120 * size + " bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec");
    assertThat(run.lines().get(3))
        .matches("60 iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter");
  }

  @Test
  void eachSidePrintsWhatTheOtherIs() throws Exception {
    try (RunningCommand server = server("-n", "1")) {
      List<String> atClient = client("-n", "1").lines();
      List<String> atServer = server.await().lines();

      assertThat(atClient.get(1)).isEqualTo(asRemote(atServer.get(0)));
      assertThat(atServer.get(1)).isEqualTo(asRemote(atClient.get(0)));
      assertThat(atServer.get(0)).endsWith("GID ::ffff:" + LoopbackNetwork.SERVER);
    }
  }

  private static String asRemote(String localLine) {
    return localLine.replace("local address: ", "remote address:");
  }

  /** As with the original: a client without -c sends pages without marks. */
  @Test
  void theServerReportsEveryPageThatIsNotMarked() throws Exception {
    try (RunningCommand server = server("-c", "-s", "5000", "-n", "3")) {
      CommandRun client = client("-s", "5000", "-n", "3");
      CommandRun checked = server.await();

      assertThat(client.exitCode()).isZero();
      assertThat(checked.exitCode()).isEqualTo(1);
      assertThat(checked.lines()).contains("invalid data in page 0", "invalid data in page 1");
    }
  }

  @Test
  void aPeerThatNeverAnswersExhaustsTheRetries() throws Exception {
    try (ServerSocket listening = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        RunningCommand client = startClient("127.0.0.1")) {
      try (Socket socket = listening.accept()) {
        socket.getInputStream().readNBytes(PeerAddress.MESSAGE_BYTES);
        socket.getOutputStream().write(message("000011"));
      }
      CommandRun run = client.await();

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .isEqualToNormalizingNewlines(
              "Failed status transport retry counter exceeded (12) for wr_id 2\n");
    }
  }

  @Test
  void aServerThatSpeaksNonsenseGetsOneLine() throws Exception {
    try (ServerSocket listening = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        RunningCommand client = startClient("127.0.0.1")) {
      try (Socket socket = listening.accept()) {
        socket.getInputStream().readNBytes(PeerAddress.MESSAGE_BYTES);
        socket.getOutputStream().write(message("000000"));
      }

      assertFailed(client.await(), "Couldn't use remote address: QPN 0 is no program's");
    }
  }

  @Test
  void aClientThatSpeaksNonsenseGetsOneLine() throws Exception {
    try (RunningCommand server = server();
        Socket client = new Socket(LoopbackNetwork.SERVER, port)) {
      client.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
      client.shutdownOutput();

      assertFailed(
          server.await(), "6/52: Couldn't read remote address: the peer closed the connection");
    }
  }

  /** The address of a device that does not exist, as the original would send it. */
  private static byte[] message(String qpn) {
    return ("0000:" + qpn + ":000000:00000000000000000000ffff7f3c0001\0")
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void whatIsTakenOrMissingIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(port)) {
      assertFailed(
          CommandRun.of(withPort("--listen", "0.0.0.0")),
          "Couldn't listen to port "
              + taken.getLocalPort()
              + " of 0.0.0.0: address already in use");
    }
    try (DatagramSocket taken =
        new DatagramSocket(new InetSocketAddress(LoopbackNetwork.SERVER, 4791))) {
      CommandRun run = CommandRun.of(withPort("--bind", LoopbackNetwork.SERVER));

      assertThat(taken.isBound()).isTrue();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("UDP port 4791 on " + LoopbackNetwork.SERVER).hasLineCount(1);
    }
    assertFailed(
        CommandRun.of(withPort("--bind", "192.0.2.1")),
        "Couldn't listen to port " + port + " of 192.0.2.1: it is not an address of this host");
    assertFailed(
        CommandRun.of(withPort("--bind", "192.0.2.1", "--listen", LoopbackNetwork.SERVER)),
        "192.0.2.1 is not an address of this host");
    assertFailed(
        CommandRun.of(withPort("--bind", LoopbackNetwork.SERVER, "-i", "2")),
        "Couldn't get port info: the device has 1 port");
  }

  @Test
  void aDeviceThatDoesNotExistIsAWrongArgument() {
    CommandRun run = CommandRun.of(withPort("--bind", LoopbackNetwork.SERVER, "-d", "mlx5_0"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("queuepair pingpong: IB device mlx5_0 not found; the emulated device is qp0")
        .hasLineCount(1);
  }

  @Test
  void anUnreachableServerIsNamed() {
    assertFailed(
        CommandRun.of(withPort("unknown.invalid")),
        "Couldn't connect to unknown.invalid:" + port + ": unknown host");
    assertFailed(
        CommandRun.of(withPort("--bind", LoopbackNetwork.CLIENT, "127.0.0.1")),
        "Couldn't connect to 127.0.0.1:" + port + ": connection refused");
  }

  @Test
  void theAddressChosenWithoutBindIsSaid() {
    String reached = LoopbackNetwork.SERVER;

    CommandRun run = CommandRun.of(withPort(reached));

    // The system reaches its own addresses from themselves or from 127.0.0.1.
    assertThat(run.err()).startsWith("without --bind: the device is on 127.");
    assertThat(run.err().lines().skip(1).toList())
        .containsExactly(
            "queuepair pingpong: Couldn't connect to "
                + reached
                + ":"
                + port
                + ": connection refused");
  }

  private static void assertFailed(CommandRun run, String line) {
    assertThat(run.err()).isEqualToNormalizingNewlines("queuepair pingpong: " + line + "\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  private RunningCommand server(String... options) throws InterruptedException {
    return players.server(options);
  }

  private CommandRun client(String... options) {
    return players.client(options);
  }

  private RunningCommand startClient(String host) {
    return RunningCommand.start(withPort("--bind", LoopbackNetwork.CLIENT, host));
  }

  private String[] withPort(String... args) {
    return players.arguments(args);
  }
}

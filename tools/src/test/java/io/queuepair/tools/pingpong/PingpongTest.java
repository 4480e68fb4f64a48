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

/** The whole command over UDP, on two addresses of this host. */
@Timeout(300)
final class PingpongTest {
  private final Players players = Players.of("rc");
  private final int port = players.port();

  @Test
  void eachSidePrintsWhatTheOtherIs() throws Exception {
    try (RunningCommand server = players.server("-n", "1")) {
      List<String> atClient = players.client("-n", "1").lines();
      List<String> atServer = server.await().lines();

      assertThat(atClient.get(1)).isEqualTo(asRemote(atServer.get(0)));
      assertThat(atServer.get(1)).isEqualTo(asRemote(atClient.get(0)));
      assertThat(atServer.get(0)).endsWith("GID ::ffff:" + LoopbackNetwork.SERVER);
    }
  }

  private static String asRemote(String localLine) {
    return localLine.replace("local address: ", "remote address:");
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

  private RunningCommand startClient(String host) {
    return RunningCommand.start(withPort("--bind", LoopbackNetwork.CLIENT, host));
  }

  private String[] withPort(String... args) {
    return players.arguments(args);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TcpExchangeTest {
  private static final String HOST = "127.0.0.1";

  private static final QpAddressList SERVER = address(0x11, 100, 1);
  private static final QpAddressList CLIENT = address(0x12, 200, 2);

  private final TcpExchange exchange =
      new TcpExchange(Duration.ofSeconds(30), Duration.ofSeconds(30));
  private final TcpExchange impatient =
      new TcpExchange(Duration.ofMillis(300), Duration.ofMillis(300));

  private static QpAddressList address(int qpn, int psn, int interfaceId) {
    return new QpAddressList(List.of(new PeerAddress(0, qpn, psn, new Gid(0, interfaceId))), 1);
  }

  /** Plays the part of an unmodified client, byte by byte. */
  @Test
  void theServerConnectsBeforeItAnswersAndWaitsForDone() throws IOException {
    List<String> order = new ArrayList<>();
    try (ServerSocket listening =
            TcpConnection.listen(InetAddress.getLoopbackAddress(), LoopbackNetwork.freePort(), 1);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
      var server =
          CompletableFuture.supplyAsync(
              () -> exchange.withClient(listening, SERVER, peer -> order.add("connected")));
      client.getOutputStream().write(CLIENT.toMessage());

      assertThat(client.getInputStream().readNBytes(52)).isEqualTo(SERVER.toMessage());
      assertThat(order).containsExactly("connected");
      assertThat(server).isNotDone();
      client.getOutputStream().write("done\0".getBytes(StandardCharsets.US_ASCII));
      assertThat(server.join()).isEqualTo(CLIENT);
    }
  }

  /** Plays the part of an unmodified server, byte by byte. */
  @Test
  void theClientSpeaksFirstAndSaysDone() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = listening.getLocalPort();
      var client = CompletableFuture.supplyAsync(() -> exchange.withServer(HOST, port, CLIENT));
      try (Socket server = listening.accept()) {
        assertThat(server.getInputStream().readNBytes(52)).isEqualTo(CLIENT.toMessage());
        server.getOutputStream().write(SERVER.toMessage());

        assertThat(server.getInputStream().readAllBytes())
            .isEqualTo("done\0".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.join()).isEqualTo(SERVER);
      }
    }
  }

  @Test
  void theClientSaysWhatWasWrongWithTheAnswer() throws IOException {
    String noHex = "0000:000011:zzzzzz:00000000000000000000ffff0a1674dd\0";
    assertThat(clientFailure(noHex)).endsWith("is not LID:QPN:PSN:GID");
    assertThat(clientFailure("0000:000000:000000:00000000000000000000ffff0a1674dd\0"))
        .isEqualTo("Couldn't use remote address: QPN 0 is no program's");
    assertThat(clientFailure("0000:00"))
        .isEqualTo("7/52: Couldn't read remote address: the peer closed the connection");
    assertThat(clientFailure(""))
        .isEqualTo("0/52: Couldn't read remote address: the peer closed the connection");
  }

  private String clientFailure(String answer) throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = listening.getLocalPort();
      var failure = failureOf(() -> exchange.withServer(HOST, port, CLIENT));
      try (Socket server = listening.accept()) {
        server.getInputStream().readNBytes(52);
        server.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      }
      return failure.join();
    }
  }

  @Test
  void theServerSaysWhatWasWrongWithTheClient() throws IOException {
    String address = new String(CLIENT.toMessage(), StandardCharsets.US_ASCII);
    assertThat(serverFailure("GET / HTTP/1.1\r\nHost: 127.0.0.1:18515\r\nAccept: */*\r\n\r\n"))
        .startsWith("Couldn't read remote address: \"GET / HTTP/1.1..Host")
        .endsWith("is not LID:QPN:PSN:GID");
    assertThat(serverFailure("0000:0"))
        .isEqualTo("6/52: Couldn't read remote address: the peer closed the connection");
    assertThat(serverFailure(address))
        .isEqualTo("0/5: Couldn't send/recv local address: the peer closed the connection");
    assertThat(serverFailure(address + "dine\0"))
        .isEqualTo("Couldn't send/recv local address: the peer is not done");
  }

  private String serverFailure(String request) throws IOException {
    try (ServerSocket listening =
            TcpConnection.listen(InetAddress.getLoopbackAddress(), LoopbackNetwork.freePort(), 1);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
      var failure = failureOf(() -> exchange.withClient(listening, SERVER, peer -> {}));
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      client.shutdownOutput();
      return failure.join();
    }
  }

  private static CompletableFuture<String> failureOf(Runnable step) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            step.run();
            return "none";
          } catch (CommandFailure failure) {
            return failure.getMessage();
          }
        });
  }

  @Test
  void nobodyWaitsForEverForASilentPeer() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = listening.getLocalPort();

      assertThatThrownBy(() -> impatient.withServer(HOST, port, CLIENT))
          .hasMessage("0/52: Couldn't read remote address: the peer was not done within 0.3 s");
    }
  }

  /** A byte every now and then does not restart the timeout. */
  @Test
  void nobodyWaitsForEverForAPeerThatGoesOnAndOn() throws IOException {
    var drip = Executors.newSingleThreadScheduledExecutor();
    try (ServerSocket listening =
            TcpConnection.listen(InetAddress.getLoopbackAddress(), LoopbackNetwork.freePort(), 1);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
      var failure = failureOf(() -> impatient.withClient(listening, SERVER, peer -> {}));
      OutputStream bytes = client.getOutputStream();
      var drops = drip.scheduleAtFixedRate(() -> write(bytes), 0, 100, TimeUnit.MILLISECONDS);

      assertThat(failure.join())
          .endsWith("Couldn't read remote address: the peer was not done within 0.3 s");
      drops.cancel(true);
    } finally {
      drip.shutdownNow();
    }
  }

  private static void write(OutputStream bytes) {
    try {
      bytes.write('0');
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  @Test
  void aServerThatDoesNotAcceptTimesOut() throws IOException {
    List<SocketChannel> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = full.getLocalPort();
      for (int i = 0; i < 8; i++) {
        waiting.add(startConnecting(port));
      }

      assertThatThrownBy(() -> impatient.withServer(HOST, port, CLIENT))
          .hasMessage("Couldn't connect to " + HOST + ":" + port + ": timed out");
    } finally {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
    }
  }

  private static SocketChannel startConnecting(int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return channel;
  }
}

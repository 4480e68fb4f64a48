// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.tests.support.CommandTranscript;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.verbs.Gid;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The TCP connection as the peer of {@code ibv_xsrq_pingpong} sees it, byte by byte. */
@Timeout(60)
final class XrcExchangeTest {
  private static final byte[] END = "END\0".getBytes(StandardCharsets.US_ASCII);
  private static final XrcAddress PEER =
      new XrcAddress(new PeerAddress(0, 0x12, 7, new Gid(0, 0xffff0a000002L)), 0x11, 1);

  private final Emulator emulator = Emulator.inMemory();
  private final CommandTranscript out = new CommandTranscript();

  @AfterEach
  void close() {
    emulator.close();
  }

  @Test
  void theClientSpeaksFirstAndWaitsForTheEndOfTheServer() throws Exception {
    XrcQueuePairs qps = queuePairs(1);
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        XrcExchange exchange = new XrcExchange(qps, new PrintWriter(out, true))) {
      int port = listening.getLocalPort();
      var met = CompletableFuture.runAsync(() -> exchange.withServer("127.0.0.1", port));
      try (Socket server = listening.accept()) {
        assertThat(server.getInputStream().readNBytes(66)).isEqualTo(qps.address(0).toMessage());
        server.getOutputStream().write(PEER.toMessage());
        met.join();
        assertThat(out.toString().lines())
            .containsExactly("   local: " + qps.address(0), "  remote: " + PEER);

        var ended = CompletableFuture.runAsync(exchange::end);
        assertThat(server.getInputStream().readNBytes(4)).isEqualTo(END);
        assertThat(ended).isNotDone();
        server.getOutputStream().write(END);
        ended.join();
      }
    }
  }

  @Test
  void theServerEndsWhenAllItsClientsHave() throws Exception {
    XrcQueuePairs qps = queuePairs(2);
    try (ServerSocket listening =
            TcpConnection.listen(InetAddress.getLoopbackAddress(), LoopbackNetwork.freePort(), 2);
        XrcExchange exchange = new XrcExchange(qps, new PrintWriter(out, true))) {
      var met = CompletableFuture.runAsync(() -> exchange.withClients(listening));
      try (Socket first = clientOf(listening, qps.address(0));
          Socket second = clientOf(listening, qps.address(1))) {
        met.join();
        var ended = CompletableFuture.runAsync(exchange::end);
        second.getOutputStream().write(END);
        assertThat(second.getInputStream().available()).isZero();
        assertThat(ended).isNotDone();
        first.getOutputStream().write(END);

        assertThat(first.getInputStream().readNBytes(4)).isEqualTo(END);
        assertThat(second.getInputStream().readNBytes(4)).isEqualTo(END);
        ended.join();
      }
    }
  }

  @Test
  void anotherWordIsNoEnd() throws Exception {
    XrcQueuePairs qps = queuePairs(1);
    try (ServerSocket listening =
            TcpConnection.listen(InetAddress.getLoopbackAddress(), LoopbackNetwork.freePort(), 1);
        XrcExchange exchange = new XrcExchange(qps, new PrintWriter(out, true))) {
      var met = CompletableFuture.runAsync(() -> exchange.withClients(listening));
      try (Socket client = clientOf(listening, qps.address(0))) {
        met.join();
        client.getOutputStream().write("done".getBytes(StandardCharsets.US_ASCII));

        assertThatThrownBy(exchange::end).hasMessage("Invalid termination ack was accepted");
      }
    }
  }

  /** One that has sent its address and got that of the server. */
  private static Socket clientOf(ServerSocket listening, XrcAddress server) throws Exception {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
    client.getOutputStream().write(PEER.toMessage());
    assertThat(client.getInputStream().readNBytes(66)).isEqualTo(server.toMessage());
    return client;
  }

  private XrcQueuePairs queuePairs(int partners) {
    var options = CommandLine.populateCommand(new PingpongOptions(), "--type", "XRC");
    PingpongContext endpoint =
        new PingpongContext(emulator.addDevice("10.0.0.1").open(), options, 2 * partners);
    return new XrcQueuePairs(endpoint, partners);
  }
}

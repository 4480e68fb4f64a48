// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that are slow, or never end, keep others from nothing. */
@Execution(ExecutionMode.CONCURRENT)
final class SlowClientsTest {
  private static final String HEAD = "GET /%s HTTP/1.1\r\nHost: localhost\r\n";

  /** More than the buffers of a connection take. */
  private static final int LARGE_BYTES = 12 << 20;

  private static final int SMALL_BUFFER = 4 << 10;
  private static final Duration LIMIT = Duration.ofSeconds(25);

  private final List<Socket> sockets = new ArrayList<>();
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    Map<String, String> files =
        Map.of("index.html", "<p>first</p>", "large.txt", "a".repeat(LARGE_BYTES));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = new WebServer(any, "lab.example", () -> files, new Playground(RunAnswer::failed));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** Sends byte by byte, and reads nothing. */
  private Socket connect(String request) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(SMALL_BUFFER);
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    for (byte one : request.getBytes(StandardCharsets.US_ASCII)) {
      socket.getOutputStream().write(one);
    }
    return socket;
  }

  private int statusForAnother() throws IOException, InterruptedException {
    URI first = URI.create("http://localhost:" + server.port() + "/");
    HttpRequest request = HttpRequest.newBuilder(first).timeout(LIMIT).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void servesOthersWhileRequestsComeAByteAtATime() throws IOException, InterruptedException {
    for (int i = 0; i < 50; i++) {
      connect(HEAD.formatted(""));
    }

    assertThat(statusForAnother()).isEqualTo(200);
  }

  @Test
  void servesOthersWhileAnswersAreNotRead() throws IOException, InterruptedException {
    for (int i = 0; i < 10; i++) {
      connect(HEAD.formatted("large.txt") + "\r\n");
    }

    assertThat(statusForAnother()).isEqualTo(200);
  }

  @Test
  @Tag("large")
  void endsARequestThatTakesTooLong() throws IOException {
    Socket slow = connect(HEAD.formatted(""));
    slow.setSoTimeout((int) LIMIT.toMillis());

    assertThat(slow.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void takesOnlySoManyThreads() throws IOException {
    for (int i = 0; i < 300; i++) {
      connect("G");
    }

    assertThat(server.threads()).isBetween(1, 64);
  }
}

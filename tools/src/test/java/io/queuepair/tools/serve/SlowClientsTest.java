// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are slow, or never end, keep others from nothing. */
@Execution(ExecutionMode.CONCURRENT)
final class SlowClientsTest {
  private static final String HEAD = "GET /%s HTTP/1.1\r\nHost: localhost\r\n";
  private static final String CLOSE = "Connection: close\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  /** More than the buffers of a connection take. */
  private static final int LARGE_BYTES = 12 << 20;

  private static final int SMALL_BUFFER = 4 << 10;
  private static final Duration LIMIT = Duration.ofSeconds(25);

  private static final Map<String, String> FILES =
      Map.of("index.html", "<p>first</p>", "large.txt", "a".repeat(LARGE_BYTES));
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Playground NO_RUNS = new Playground(RunAnswer::failed);

  private final List<Socket> sockets = new ArrayList<>();
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    server = new WebServer(ANY, "lab.example", () -> FILES, NO_RUNS);
  }

  /** Serves with other times. */
  private void restart(Duration requestTime, Duration answerTime) throws IOException {
    server.close();
    server = new WebServer(ANY, "lab.example", () -> FILES, NO_RUNS, requestTime, answerTime);
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
    return connect("127.0.0.1", request);
  }

  private Socket connect(String client, String request) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(SMALL_BUFFER);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket.bind(new InetSocketAddress(client, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    for (byte one : request.getBytes(US_ASCII)) {
      socket.getOutputStream().write(one);
    }
    return socket;
  }

  /** The bytes that come until the server closes the connection. */
  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  /** Sends a byte now and then, until the server closes the connection. */
  private static boolean isClosedWhileSending(Socket socket) throws IOException {
    socket.setSoTimeout(20);
    for (int sent = 0; sent < 900; sent++) {
      try {
        socket.getOutputStream().write('a');
        while (socket.getInputStream().read() >= 0) {
          // An answer may come before the end.
        }
        return true;
      } catch (SocketTimeoutException open) {
        // The next byte.
      } catch (SocketException reset) {
        return true;
      }
    }
    return false;
  }

  private String answerTo(String client) throws IOException {
    return rest(connect(client, HEAD.formatted("") + CLOSE));
  }

  @Test
  void servesOthersWhileRequestsComeAByteAtATime() throws IOException {
    for (int i = 0; i < 32; i++) {
      connect(HEAD.formatted(""));
    }

    assertThat(answerTo("127.0.0.2")).startsWith(OK);
  }

  @Test
  void servesOthersWhileAnswersAreNotRead() throws IOException {
    for (int i = 0; i < 10; i++) {
      connect(HEAD.formatted("large.txt") + "\r\n");
    }

    assertThat(answerTo("127.0.0.1")).startsWith(OK);
  }

  @Test
  void takesOnlySoManyConnectionsOfOneAddress() throws IOException {
    Socket first = connect("G");
    for (int i = 1; i < 32; i++) {
      connect("G");
    }

    assertThat(rest(connect(""))).isEmpty();
    assertThat(answerTo("127.0.0.2")).startsWith(OK);

    first.getOutputStream().write((HEAD.formatted("").substring(1) + CLOSE).getBytes(US_ASCII));
    assertThat(rest(first)).startsWith(OK);
    assertThat(answerTo("127.0.0.1")).startsWith(OK);
  }

  @Test
  void takesOnlySoManyConnections() throws IOException {
    for (int i = 0; i < 256; i++) {
      connect("127.0.1." + i / 32, "G");
    }

    assertThat(rest(connect("127.0.2.1", ""))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET / HTTP/1.1\r\n",
        "POST /playground HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
        "POST /playground HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
      })
  void closesARequestThatComesTooSlowly(String start) throws IOException {
    restart(Duration.ofMillis(300), LIMIT);

    Socket slow = connect(start);

    assertThat(isClosedWhileSending(slow)).isTrue();
    assertThat(answerTo("127.0.0.1")).startsWith(OK);
  }

  @Test
  void closesAConnectionWithoutANextRequest() throws IOException {
    restart(Duration.ofMillis(300), LIMIT);

    assertThat(rest(connect(HEAD.formatted("") + "\r\n"))).startsWith(OK);
  }

  @Test
  void closesAnAnswerThatIsNotRead() throws IOException {
    restart(LIMIT, Duration.ofMillis(300));
    Socket slow = connect(HEAD.formatted("large.txt") + "\r\n");

    assertThatThrownBy(
            () -> {
              while (true) {
                slow.getOutputStream().write(new byte[SMALL_BUFFER]);
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  @Tag("large")
  void endsARequestThatTakesTooLong() throws IOException {
    Socket slow = connect(HEAD.formatted(""));

    assertThat(slow.getInputStream().read()).isEqualTo(-1);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves the files of a site, and the playground beside them.
 *
 * <p>A client that is slow keeps a thread until its time is up, so there are as many threads as
 * connections are answered at once. More connections are closed.
 */
final class WebServer implements AutoCloseable {
  /** What browsers may load and run: files of this server, and no script that is in a page. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src"
          + " 'self'; frame-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'self'";

  private static final int MOST_THREADS = 64;
  private static final int MOST_CONNECTIONS = 256;
  private static final int IDLE_SECONDS = 30;
  private static final String PLAYGROUND = "/playground";
  private static final String STYLE = "playground.css";
  private static final String FIRST = "index.html";
  private static final List<String> READING = List.of("GET", "HEAD");
  private static final List<String> EDITING = List.of("GET", "HEAD", "POST");

  private final Map<String, String> files;
  private final Playground playground;
  private final RequestFilter filter;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>());
  private final HttpServer server;

  /**
   * Starts serving.
   *
   * @param address where it listens
   * @param ownName what requests may call this host, besides addresses and localhost
   * @param files contents by path; asked for once the address is known to be free
   * @throws IOException if it cannot listen there
   */
  WebServer(
      InetSocketAddress address,
      String ownName,
      Supplier<Map<String, String>> files,
      Playground playground)
      throws IOException {
    limitRequests();
    server = HttpServer.create(address, 0);
    this.files = files.get();
    this.playground = playground;
    filter = new RequestFilter(ownName);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** The server of the JDK reads these once: a client that sends slowly is not waited for. */
  private static void limitRequests() {
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "30");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "50");
    System.setProperty("jdk.httpserver.maxConnections", String.valueOf(MOST_CONNECTIONS));
  }

  /** The port it listens on. */
  int port() {
    return server.getAddress().getPort();
  }

  /** How many threads answer requests, or wait for slow clients. */
  int threads() {
    return threads.getPoolSize();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(exchange, answer(exchange));
    }
  }

  private WebAnswer answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    boolean isPlayground = path.equals(PLAYGROUND);
    try {
      filter.checkHead(exchange, isPlayground ? EDITING : READING);
      if (!isPlayground) {
        return file(path.substring(1));
      }
      if (exchange.getRequestMethod().equals("POST")) {
        return playground.run(filter.form(exchange));
      }
      String query = exchange.getRequestURI().getRawQuery();
      return playground.open(query == null ? "" : query);
    } catch (RequestRefusedException refused) {
      return WebAnswer.of(refused.status(), refused.getMessage());
    }
  }

  /** Files are looked up in a table: a path never reaches the file system. */
  private WebAnswer file(String path) {
    if (path.equals(STYLE)) {
      return WebAnswer.file(path, PlaygroundPage.read(STYLE));
    }
    String name = path.isEmpty() || path.endsWith("/") ? path + FIRST : path;
    String content = files.get(name);
    return content == null
        ? WebAnswer.of(404, "There is no page of that address")
        : WebAnswer.file(name, content);
  }

  private void send(HttpExchange exchange, WebAnswer answer) throws IOException {
    byte[] content = answer.content().getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    answer.headers().forEach(headers::set);
    headers.set("Content-Type", answer.type());
    headers.set("Content-Security-Policy", CONTENT_POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    if (isHead) {
      headers.set("Content-Length", String.valueOf(content.length));
    }
    exchange.sendResponseHeaders(answer.status(), isHead ? -1 : content.length);
    if (!isHead) {
      exchange.getResponseBody().write(content);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server answers browsers that show its own pages, and refuses everything else. */
final class WebServerTest {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String CLOSE = "Connection: close\r\n\r\n";
  private static final String SCENARIO = "# T\n\nx\n\n```commands\ndevice a\n```\n";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final List<String> RUN = new ArrayList<>();
  private static WebServer server;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> files = Map.of("index.html", "<p>first</p>", "a/b.css", "p {}");
    UntrustedRuns runs =
        text -> {
          RUN.add(text);
          return text.contains("wrong")
              ? RunAnswer.failed("Line 1: <wrong>")
              : new RunAnswer("", "<p>run</p>", "# file\n");
        };
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = new WebServer(any, "lab.example", () -> files, new Playground(runs));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder post(String body) {
    return request("/playground")
        .header("Content-Type", FORM)
        .POST(BodyPublishers.ofString(body, StandardCharsets.US_ASCII));
  }

  private static String field(String name, String value) {
    return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** The first line of the answer to a request that an HTTP client would not send. */
  private static String statusLine(String... head) throws IOException {
    return answer(String.join("\r\n", head) + "\r\n" + CLOSE).lines().findFirst().orElse("");
  }

  private static String answer(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void asksForTheSiteOnlyIfItCanListen() {
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    Supplier<Map<String, String>> site =
        () -> {
          throw new AssertionError("the site was made");
        };

    assertThatThrownBy(
            () -> new WebServer(taken, "lab.example", site, new Playground(RunAnswer::failed)))
        .isInstanceOf(BindException.class);
  }

  @Test
  void servesThePagesOfTheSiteAndAllowsBrowsersNothingElse()
      throws IOException, InterruptedException {
    HttpResponse<String> first = send(request("/"));
    HttpHeaders headers = first.headers();
    HttpResponse<String> style = send(request("/a/b.css"));

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).startsWith("<p>first</p>");
    assertThat(headers.firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(style.headers().firstValue("Content-Type")).hasValue("text/css; charset=utf-8");
    assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'")
        .contains("; script-src 'self';", "; frame-src 'self';", "; frame-ancestors 'self'");
    assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/nothing",
        "/playground/",
        "/playground?scenario=../README",
        "/playground?scenario=nothing",
        "/playground?exercise=solutions/datagram"
      })
  void hasNoOtherPage(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(request(path));

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).matches("There is no [a-z ]+\\.\n");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:80, 200",
    "localhost, 200",
    "LOCALHOST:8018, 200",
    "[::1]:8018, 200",
    "lab.example:8018, 200",
    "evil.example, 403",
    "127.0.0.1.evil.example, 403",
    "localhost.evil.example:80, 403",
    "evil.example:80@localhost, 403"
  })
  void answersOnlyToItsOwnNames(String host, String status) throws IOException {
    assertThat(statusLine("GET / HTTP/1.1", "Host: " + host)).contains(" " + status + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.0, 400",
    "GET / HTTP/1.1;Host: localhost;Host: evil.example, 400",
    "OPTIONS * HTTP/1.1;Host: localhost, 400",
    "CONNECT localhost:80 HTTP/1.1;Host: localhost, 400",
    "GET //localhost HTTP/1.1;Host: localhost, 400",
    "GET /%zz HTTP/1.1;Host: localhost, 400",
    "GET http://localhost/a/b.css HTTP/1.1;Host: localhost, 200",
  })
  void needsOneHostAndAPath(String head, String status) throws IOException {
    assertThat(statusLine(head.split(";"))).contains(" " + status + " ");
  }

  @Test
  void framesOfOtherPagesAreAllowedIfTheyAreNamed() throws IOException, InterruptedException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Playground playground = new Playground(RunAnswer::failed);
    try (WebServer framed =
        new WebServer(any, "lab.example", () -> Map.of("index.html", "x"), playground)) {
      framed.allowFrames("https://moodle.example");
      URI first = URI.create("http://127.0.0.1:" + framed.port() + "/");
      HttpResponse<String> answer =
          CLIENT.send(HttpRequest.newBuilder(first).build(), BodyHandlers.ofString());

      assertThat(answer.headers().allValues("Content-Security-Policy"))
          .hasSize(1)
          .allMatch(policy -> policy.endsWith("; frame-ancestors https://moodle.example"));
    }
  }

  @Test
  void refusesAHeadThatIsTooLong() throws IOException {
    assertThat(statusLine("GET /" + "a".repeat(5000) + " HTTP/1.1", "Host: localhost"))
        .contains(" 400 ");
    assertThat(statusLine("GET / HTTP/1.1", "Host: localhost", "A: " + "a".repeat(9000)))
        .contains(" 400 ");
  }

  /** Netty decodes nothing after such a head, so that no later request would get an answer. */
  @Test
  void closesAConnectionAfterAHeadThatIsTooLong() throws IOException {
    String head = "GET / HTTP/1.1\r\nHost: localhost\r\nA: " + "a".repeat(9000);

    assertThat(answer(head + "\r\n\r\n")).containsIgnoringCase("\r\nConnection: close\r\n");
  }

  @Test
  void answersInTheOrderOfTheRequests() throws IOException {
    String post =
        "POST /playground HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            + FORM
            + "\r\nContent-Length: 7\r\n\r\ntext=no";
    String head = " HTTP/1.1\r\nHost: localhost\r\n";

    String answers = answer(post + "HEAD /" + head + "\r\nGET /a/b.css" + head + CLOSE);

    assertThat(answers)
        .containsSubsequence("<p>run</p>HTTP/1.1 200 ", "text/html", "text/css", "\r\n\r\np {}");
    assertThat(answers).doesNotContain("<p>first</p>");
  }

  @Test
  void pagesOfOtherSitesRunNothing() throws IOException, InterruptedException {
    String body = field("text", "# foreign");
    for (String origin : List.of("http://evil.example", "null", "https://127.0.0.1")) {
      HttpResponse<String> answer = send(post(body).header("Origin", origin));

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).isEqualTo("The request comes from a page of another site.\n");
    }
    HttpRequest.Builder asText = request("/playground").header("Content-Type", "text/plain");
    assertThat(send(asText.POST(BodyPublishers.ofString(body))).statusCode()).isEqualTo(415);

    assertThat(RUN).doesNotContain("# foreign");
    String own = "http://127.0.0.1:" + server.port();
    assertThat(send(post(body).header("Origin", own)).statusCode()).isEqualTo(200);
    assertThat(RUN).contains("# foreign");
  }

  @Test
  void takesFewMethods() throws IOException, InterruptedException {
    HttpResponse<String> put = send(request("/playground").PUT(BodyPublishers.ofString("text=x")));
    HttpResponse<String> post = send(request("/").POST(BodyPublishers.ofString("text=x")));
    HttpResponse<String> head = send(request("/").method("HEAD", BodyPublishers.ofString("")));

    assertThat(put.statusCode()).isEqualTo(405);
    assertThat(put.headers().firstValue("Allow")).hasValue("GET, HEAD, POST");
    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void refusesWhatIsTooLargeOrNotEncoded() throws IOException, InterruptedException {
    assertThat(send(post("text=" + "a".repeat(200_000))).statusCode()).isEqualTo(413);

    HttpResponse<String> answer = send(post("text=" + "a".repeat(50_001)));
    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("The scenario has more than 50000 characters.");
    HttpResponse<String> broken = send(post("text=%zz"));
    assertThat(broken.statusCode()).isEqualTo(400);
    assertThat(broken.body()).isEqualTo("The form is not encoded as it should be.\n");
  }

  @Test
  void opensScenariosAndExercisesInTheEditor() throws IOException, InterruptedException {
    assertThat(send(request("/playground?scenario=rnr-nak")).body())
        .contains("# RNR NAK: the receiver is not ready", "\nconnect a.qp b.qp")
        .doesNotContain("```expected");
    assertThat(send(request("/playground")).body()).contains("# Two messages");
    assertThat(send(request("/playground?exercise=datagram")).body())
        .contains("# A datagram that arrives", "remote_qkey=???\nrun\nexpect completion a.cq")
        .contains("<input type=\"hidden\" name=\"exercise\" value=\"datagram\" />");
  }

  @Test
  void runsWhatIsSentAndAddsTheFaultOfAButton() throws IOException, InterruptedException {
    String body = field("text", SCENARIO.replace("\n", "\r\n"));

    HttpResponse<String> run = send(post(body + "&" + field("fault", "drop 1st ACK")));

    assertThat(run.statusCode()).isEqualTo(200);
    assertThat(run.body()).isEqualTo("<p>run</p>");
    assertThat(RUN).contains("# T\n\nx\n\n```commands\nfault drop 1st ACK\ndevice a\n```\n");
  }

  @Test
  void givesTheScenarioAsAFile() throws IOException, InterruptedException {
    HttpResponse<String> file = send(post(field("text", SCENARIO) + "&as=file"));

    assertThat(file.body()).isEqualTo("# file\n");
    assertThat(file.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=\"scenario.md\"");
  }

  @Test
  void saysInOneSentenceWhyAScenarioDoesNotRun() throws IOException, InterruptedException {
    HttpResponse<String> answer = send(post(field("text", "wrong </textarea>")));

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body())
        .contains("<p role=\"alert\">Line 1: &lt;wrong&gt;.</p>", "wrong &lt;/textarea&gt;");
  }
}

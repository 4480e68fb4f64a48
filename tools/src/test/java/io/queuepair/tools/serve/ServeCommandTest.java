// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.RunningCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The command serves the whole site and the playground. */
final class ServeCommandTest {
  private static final Pattern PRINTED =
      Pattern.compile("(http://127\\.0\\.0\\.1:[0-9]+/) and \\1playground; Ctrl-C ends it\n");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static String page(String address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return CLIENT.send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void servesTheSiteWithLinksToThePlayground() throws IOException, InterruptedException {
    try (RunningCommand serve = RunningCommand.start("serve", "--port", "0")) {
      Matcher printed = PRINTED.matcher(serve.awaitOutput("ends it\n").output());
      assertThat(printed.matches()).isTrue();
      String top = printed.group(1);

      assertThat(page(top)).contains("<a href=\"playground\">Playground</a>");
      assertThat(page(top + "scenarios/rnr-nak.html"))
          .contains("<a href=\"../playground?scenario=rnr-nak\">Edit and run</a>");
      assertThat(page(top + "playground")).contains("<textarea");
    }
  }

  @Test
  void refusesFrameAncestorsThatWouldBeginAnotherDirective() {
    CommandRun run = CommandRun.of("serve", "--frame-ancestors", "*; script-src *");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--frame-ancestors: '*; script-src *' are no sources");
  }

  @Test
  void saysWhyItCannotListen() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CommandRun run = CommandRun.of("serve", "--port", String.valueOf(taken.getLocalPort()));

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .startsWith(
              "queuepair serve: 127.0.0.1 port " + taken.getLocalPort() + " cannot be listened on");
    }
  }
}

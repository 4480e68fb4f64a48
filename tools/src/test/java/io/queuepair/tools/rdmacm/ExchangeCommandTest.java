// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that move messages, on two addresses of this host, through the connection manager. */
@Timeout(120)
final class ExchangeCommandTest {
  private static final String GROUP = "239.192.0.7";

  private static String[] arguments(String command, String own, String... options) {
    return Stream.concat(Stream.of(command, "--bind", own, "-b", own), Stream.of(options))
        .toArray(String[]::new);
  }

  private static String[] clientArguments(String command, String options) {
    return arguments(
        command,
        LoopbackNetwork.CLIENT,
        ("-s " + LoopbackNetwork.SERVER + " " + options).split(" "));
  }

  private static void assertEndsWell(CommandRun run, String... lines) {
    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).containsExactly(lines);
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-c 1 -C 10", "-c 3 -C 10 -S 70000", "-c 2 -t 32 -a 14 -P ib"})
  void connectionsCarryMessagesInBothDirections(String options) throws Exception {
    String[] own = arguments("ucmatose", LoopbackNetwork.SERVER, options.split(" "));
    try (RunningCommand server = RunningCommand.start(own).awaitOutput("starting server")) {
      CommandRun client = CommandRun.of(clientArguments("ucmatose", options));

      assertEndsWell(
          client,
          "cmatose: starting client",
          "cmatose: connecting",
          "receiving data transfers",
          "sending replies",
          "data transfers complete",
          "test complete",
          "return status 0");
      assertEndsWell(
          server.await(),
          "cmatose: starting server",
          "initiating data transfers",
          "completing sends",
          "receiving data transfers",
          "data transfers complete",
          "cmatose: disconnecting",
          "test complete",
          "return status 0");
    }
  }

  /** The server would wait 70 s for an answer to its DREQ. */
  @Test
  @Timeout(40)
  void aClientThatIsDoneAnswersTheServerThoughTheFirstAnswerIsLost() throws Exception {
    String[] own = arguments("ucmatose", LoopbackNetwork.SERVER);
    try (RunningCommand server = RunningCommand.start(own).awaitOutput("starting server")) {
      String[] client =
          arguments(
              "ucmatose",
              LoopbackNetwork.CLIENT,
              "-s",
              LoopbackNetwork.SERVER,
              "--faults",
              "drop 1st DREP");
      assertThat(CommandRun.of(client).exitCode()).isZero();

      assertThat(server.await().lines()).endsWith("test complete", "return status 0");
    }
  }

  @Test
  void idsMigrateBeforeTheyDisconnect() throws Exception {
    String[] own = arguments("ucmatose", LoopbackNetwork.SERVER, "-m");
    try (RunningCommand server = RunningCommand.start(own).awaitOutput("starting server")) {
      CommandRun client = CommandRun.of(clientArguments("ucmatose", "-m"));

      assertThat(client.lines()).contains("migrating to new event channel", "return status 0");
      assertThat(server.await().lines())
          .contains("migrating to new event channel", "return status 0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-c 1 -C 10", "-c 3 -C 10 -S 1000", "-c 2 -t 32 -p 2"})
  void datagramsAreAnswered(String options) throws Exception {
    String[] own = arguments("udaddy", LoopbackNetwork.SERVER, options.split(" "));
    try (RunningCommand server = RunningCommand.start(own).awaitOutput("starting server")) {
      CommandRun client = CommandRun.of(clientArguments("udaddy", options));

      assertEndsWell(
          client,
          "udaddy: starting client",
          "udaddy: connecting",
          "initiating data transfers",
          "receiving data transfers",
          "data transfers complete",
          "test complete",
          "return status 0");
      assertEndsWell(
          server.await(),
          "udaddy: starting server",
          "receiving data transfers",
          "sending replies",
          "data transfers complete",
          "test complete",
          "return status 0");
    }
  }

  @Test
  void aServerThatIsNotThereRejectsWithStatusEight() throws Exception {
    String[] own = arguments("udaddy", LoopbackNetwork.SERVER, "-C", "0");
    try (RunningCommand server = RunningCommand.start(own).awaitOutput("starting server")) {
      CommandRun client = CommandRun.of(clientArguments("ucmatose", "-c 1"));

      assertThat(client.lines())
          .contains("cmatose: event: RDMA_CM_EVENT_REJECTED, error: 8", "return status 8");
      assertThat(client.exitCode()).isEqualTo(8);
      assertThat(CommandRun.of(clientArguments("udaddy", "-C 0")).exitCode()).isZero();
      assertThat(server.await().lines()).endsWith("test complete", "return status 0");
    }
  }

  @Test
  void aDatagramLongerThanThePortCarriesIsRefused() {
    CommandRun run =
        CommandRun.of(arguments("mckey", LoopbackNetwork.CLIENT, "-m", GROUP, "-S", "4097"));

    assertThat(run.lines()).contains("mckey: message_size 4097 is larger than active mtu 4096");
    assertThat(run.lines()).endsWith("return status -22");
    assertThat(run.exitCode()).isEqualTo(256 - 22);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ucmatose -c 0", "udaddy -p 3", "mckey", "mckey -M ::1", "udaddy -f dns"})
  void optionsThatDoNotFitAreRefused(String line) {
    CommandRun run = CommandRun.of(line.split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("queuepair " + line.split(" ", -1)[0]);
  }
}

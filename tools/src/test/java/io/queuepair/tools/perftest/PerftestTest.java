// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

/** The whole commands over UDP, on two addresses of this host. */
@Timeout(300)
final class PerftestTest {
  private static final String RATES = " +\\d+\\.\\d\\d +\\d+\\.\\d\\d\\s+\\d+\\.\\d{6}";
  private static final String TIMES = "(\\s+\\d+\\.\\d\\d){7}\\s*";

  private final int port = LoopbackNetwork.freePort();

  @ParameterizedTest
  @CsvSource({
    "write-bw, -n 50 -s 4096",
    "write-bw, -n 50 -s 4096 -c UC --transport nio",
    "write-bw, -n 20 -s 65536 -b -q 3 -t 8",
    "read-bw, -n 50 -s 4096 --transport nio",
    "read-bw, -n 20 -s 3000 -b -o 4",
    "send-bw, -n 50 -s 4096 -r 20",
    "send-bw, -n 50 -s 1000 -c UC",
    "send-bw, -n 50 -s 1000 -c UD --transport nio",
    "send-bw, -n 20 -s 5000 -b -q 2",
    "atomic-bw, -n 50",
    "atomic-bw, -n 20 -A CMP_AND_SWAP -b",
    "write-bw, -R -n 20 -s 4096 -q 2",
    "read-bw, -R -n 20 -s 4096 -o 4 -b",
    "atomic-bw, -R -n 20",
    "send-bw, -R -n 20 -s 1000 -b",
    "send-bw, -R -n 20 -s 1000 -c UD -q 2",
    "send-bw, -R -n 20 -s 1000 -c UD -b -q 2",
    "send-bw, -e -n 50 -s 1000",
    "read-bw, -e -n 50 -s 1000 -b",
    "atomic-bw, -e -n 50",
    "write-bw, -I 64 -n 50 -s 64",
    "send-bw, -I 188 -n 50 -s 188 -c UD",
    "write-bw, -l 10 -n 100 -s 64 -t 20",
    "send-bw, -l 10 -Q 5 -n 100 -s 64 -b",
    "send-bw, --use-srq -n 60 -r 12 -q 3 -s 1000",
    "send-bw, --use-srq -n 60 -r 12 -q 3 -s 1000 -b -e",
    "send-bw, --use-srq -n 60 -c UD -s 100",
    "write-bw, -c XRC -n 50 -s 4096",
    "write-bw, -c XRC -n 50 -s 4096 -q 2 -b",
    "read-bw, -c XRC -n 50 -s 4096",
    "send-bw, -c XRC -n 60 -r 20 -s 4096 -q 2",
    "send-bw, -c XRC -n 60 -r 20 -s 4096 -q 2 -b",
    "atomic-bw, -c XRC -n 50",
  })
  void bandwidthIsMeasured(String command, String options) throws Exception {
    Runs runs = run(command, options);

    String size = options.contains("-s ") ? options.replaceFirst(".*-s (\\d+).*", "$1") : "8";
    assertThat(row(runs.client(), size)).matches(" " + size + " +\\d+" + RATES);
    assertThat(row(runs.server(), size)).matches(" " + size + " +\\d+" + RATES);
  }

  @ParameterizedTest
  @CsvSource({
    "write-lat, -n 20 -s 64",
    "write-lat, -n 20 -s 5000 -c UC --transport nio",
    "send-lat, -n 20 -s 64 -r 3",
    "send-lat, -n 20 -s 5000 --transport nio",
    "send-lat, -n 20 -s 64 -c UD",
    "send-lat, -R -n 20 -s 64",
    "send-lat, -R -n 20 -s 64 -c UD",
    "write-lat, -R -n 20 -s 64",
    "send-lat, -e -n 20 -s 64",
    "send-lat, -I 64 -n 20 -s 64",
    "send-lat, --use-srq -r 5 -n 20 -s 64",
    "send-lat, -c XRC -n 20 -s 64",
    "write-lat, -c XRC -n 20 -s 64",
  })
  void latencyIsMeasuredOnBothSides(String command, String options) throws Exception {
    Runs runs = run(command, options);

    String size = options.replaceFirst(".*-s (\\d+).*", "$1");
    assertThat(row(runs.client(), size)).matches(" " + size + " +20" + TIMES);
    assertThat(row(runs.server(), size)).matches(" " + size + " +20" + TIMES);
  }

  @ParameterizedTest
  @CsvSource({
    "read-lat, 64, -n 20 -s 64",
    "read-lat, 64, -n 20 -s 64 -R",
    "read-lat, 64, -n 20 -s 64 -e",
    "read-lat, 64, -n 20 -s 64 -c XRC",
    "atomic-lat, 8, -n 20",
    "atomic-lat, 8, -n 20 -A CMP_AND_SWAP -R",
    "atomic-lat, 8, -n 20 -e -c XRC",
  })
  void onlyTheClientMeasuresTheLatencyOfReadsAndAtomics(String command, String size, String options)
      throws Exception {
    Runs runs = run(command, options);

    assertThat(row(runs.client(), size)).matches(" " + size + " +20" + TIMES);
    assertThat(runs.server().out()).doesNotContain("#bytes");
  }

  @ParameterizedTest
  @CsvSource({"write-bw", "send-bw", "write-lat", "send-lat", "read-lat"})
  void aTimeEndsTheRunOnBothSides(String command) throws Exception {
    Runs runs = run(command, "-D 1 -f 0 -s 64");

    assertThat(row(runs.client(), "64")).matches(" 64 +[1-9]\\d* .*");
    assertThat(runs.client().err()).startsWith("1 of 1 s: ");
  }

  @ParameterizedTest
  @CsvSource({"send-bw", "write-lat"})
  void allSizesAreRun(String command) throws Exception {
    CommandRun client = run(command, "-a -n 5").client();

    assertThat(client.lines().stream().filter(line -> line.matches(" \\d+ +5 .*"))).hasSize(23);
  }

  @Test
  void theTableIsAlsoADocumentAndAPicture(@TempDir Path directory) throws Exception {
    Path plot = directory.resolve("plot.svg");
    Path saved = directory.resolve("saved.json");
    String files = " --plot " + plot + " --out_json --out_json_file " + saved;

    CommandRun client = runWith("send-bw", "-a -n 5 -c UD -m 1024 --json", files);

    JsonNode document = new ObjectMapper().readTree(client.out());
    assertThat(document.at("/test/command").asText()).isEqualTo("send-bw");
    assertThat(document.at("/test/mtu_bytes").asInt()).isEqualTo(1024);
    assertThat(document.at("/results")).hasSize(10);
    assertThat(document.at("/results/9/size_bytes").asInt()).isEqualTo(1024);
    assertThat(new ObjectMapper().readTree(saved.toFile())).isEqualTo(document);
    assertThat(svg(plot).getElementsByTagName("circle").getLength()).isEqualTo(20);
  }

  /** Without an ACK timeout nothing is sent twice. */
  @Test
  void everyPacketIsCaptured(@TempDir Path directory) throws Exception {
    Path capture = directory.resolve("run.pcapng");

    runWith("write-bw", "-n 20 -s 64 -u 0", " --pcap " + capture);

    List<String> packets = CommandRun.of("decode", capture.toString()).lines();
    assertThat(packets).filteredOn(line -> line.contains(" RC_RDMA_WRITE_ONLY ")).hasSize(20);
    assertThat(packets.get(packets.size() - 1)).contains(" icrc_bad=0 malformed=0 ");
  }

  private static Document svg(Path file) throws Exception {
    byte[] bytes = Files.readString(file).getBytes(StandardCharsets.UTF_8);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(bytes));
  }

  /** No peer is waited for: there is none. */
  @ParameterizedTest
  @CsvSource({
    "-i 2, Couldn't get port info: the device has 1 port",
    "-x 7, can't read sgid of index 7",
  })
  void whatTheDeviceCannotDoIsSaidBeforeAPeerHasCome(String options, String sentence) {
    CommandRun server = CommandRun.of(args("send-bw", options, "--bind", LoopbackNetwork.SERVER));

    assertThat(server.exitCode()).isEqualTo(1);
    assertThat(server.out()).isEmpty();
    assertThat(server.err()).startsWith("queuepair send-bw: " + sentence).hasLineCount(1);
  }

  @Test
  void aDatagramIsNotLargerThanThePathMtuOfThePeer() throws Exception {
    try (RunningCommand server = server("send-bw", "-c UD -s 1000 -m 1024")) {
      CommandRun client = client("send-bw", "-c UD -s 2000", "");

      assertThat(client.exitCode()).isEqualTo(1);
      assertThat(client.err())
          .isEqualToNormalizingNewlines(
              "queuepair send-bw: size 2000 is above the path MTU 1024, the most of UD\n");
      assertThat(server.await().exitCode()).isEqualTo(1);
    }
  }

  @Test
  void anotherNumberOfQueuePairsIsNoticed() throws Exception {
    try (RunningCommand server = server("write-bw", "-q 2 -n 5")) {
      CommandRun client = client("write-bw", "-q 3 -n 5", "");

      assertThat(client.exitCode() + server.await().exitCode()).isEqualTo(2);
      assertThat(server.await().err()).contains("give both the same -q");
    }
  }

  @Test
  void aServerThatListensAtAnotherPortRejects() throws Exception {
    try (RunningCommand server = server("send-lat", "-R -n 5")) {
      String[] elsewhere = args("send-lat", "-R", "--bind", LoopbackNetwork.CLIENT);
      elsewhere[2] = "" + (port == 1 ? 2 : port - 1);
      List<String> all = new ArrayList<>(List.of(elsewhere));
      all.add(LoopbackNetwork.SERVER);

      CommandRun client = CommandRun.of(all.toArray(String[]::new));

      assertThat(client.exitCode()).isEqualTo(1);
      assertThat(client.err())
          .contains("Couldn't connect to " + LoopbackNetwork.SERVER + ":" + elsewhere[2] + ": ")
          .contains("RDMA_CM_EVENT_REJECTED, status 8: ")
          .contains("no program listens on that port there")
          .hasLineCount(1);
      assertThat(client("send-lat", "-R -n 5", "").exitCode()).isZero();
      assertThat(server.await().exitCode()).isZero();
    }
  }

  /** The server waits for a second connection, and the client then hears that the server left. */
  @Test
  void whatTheOtherSideEndsIsSaidByBoth() throws Exception {
    try (RunningCommand server = server("write-bw", "-R -q 2 -n 5 --connect-timeout 2")) {
      CommandRun client = client("write-bw", "-R -q 1 -n 5", "");

      assertThat(client.exitCode()).isEqualTo(1);
      assertThat(server.await().exitCode()).isEqualTo(1);
      assertThat(server.await().err())
          .contains("The peer did not connect within 2 s")
          .hasLineCount(1);
    }
  }

  private record Runs(CommandRun server, CommandRun client) {}

  private Runs run(String command, String options) throws InterruptedException {
    try (RunningCommand server = server(command, options)) {
      CommandRun client = client(command, options, "");
      CommandRun ofServer = server.await();

      assertThat(client.exitCode()).as(client.err()).isZero();
      assertThat(ofServer.exitCode()).as(ofServer.err()).isZero();
      return new Runs(ofServer, client);
    }
  }

  private CommandRun runWith(String command, String options, String more)
      throws InterruptedException {
    try (RunningCommand server = server(command, options.replace(" --json", ""))) {
      CommandRun client = client(command, options, more);

      assertThat(client.exitCode()).as(client.err()).isZero();
      assertThat(server.await().exitCode()).isZero();
      return client;
    }
  }

  private static String row(CommandRun run, String size) {
    return run.lines().stream()
        .filter(line -> line.startsWith(" " + size + " "))
        .findFirst()
        .orElse("no row in " + run.out());
  }

  private RunningCommand server(String command, String options) throws InterruptedException {
    return RunningCommand.start(args(command, options, "--bind", LoopbackNetwork.SERVER))
        .awaitOutput("Waiting for client");
  }

  private CommandRun client(String command, String options, String more) {
    return CommandRun.of(
        args(command, options + more, "--bind", LoopbackNetwork.CLIENT, LoopbackNetwork.SERVER));
  }

  private String[] args(String command, String options, String... more) {
    List<String> all = new ArrayList<>(List.of(command, "-p", "" + port));
    all.addAll(List.of(options.split(" ", -1)));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}

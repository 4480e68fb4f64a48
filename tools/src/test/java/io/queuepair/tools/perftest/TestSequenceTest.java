// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.cli.TcpConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Each side of each recorded run of perftest, with ours in the place of the other. */
@Timeout(60)
final class TestSequenceTest {
  static Stream<Arguments> recordedRuns() {
    return Stream.of(
            "write_bw",
            "write_bw_uc",
            "write_bw_q2",
            "write_bw_b",
            "write_bw_D",
            "write_bw_b_D",
            "write_bw_a",
            "write_bw_ab",
            "write_lat",
            "write_lat_D",
            "write_lat_a",
            "read_bw",
            "read_bw_b",
            "read_bw_q2",
            "read_bw_D",
            "read_lat",
            "read_lat_D",
            "read_lat_a",
            "send_bw",
            "send_bw_ud",
            "send_bw_b",
            "send_bw_q2",
            "send_bw_q2_b",
            "send_bw_D",
            "send_bw_b_D",
            "send_bw_a",
            "send_bw_ab",
            "send_lat",
            "send_lat_ud",
            "send_lat_D",
            "send_lat_a",
            "atomic_bw",
            "atomic_bw_b",
            "atomic_bw_q2",
            "atomic_bw_cas")
        .flatMap(name -> Stream.of(Arguments.of(name, true), Arguments.of(name, false)));
  }

  @ParameterizedTest(name = "{0}, server: {1}")
  @MethodSource("recordedRuns")
  void saysWhatTheProgramOfPerftestSaid(String name, boolean isServer) throws Exception {
    RecordedExchange recorded = RecordedExchange.read(name);
    PerftestSettings settings = settings(recorded, isServer);
    RecordedTraffic traffic = traffic(recorded, settings);
    ReportCollector reportCollector = new ReportCollector(new NoReport());

    List<byte[]> said =
        converse(
            recorded,
            isServer,
            connection ->
                new TestSequence(
                        ControlChannel.over(TcpControlLink.over(connection), isServer),
                        settings,
                        traffic,
                        reportCollector)
                    .follow());

    assertThat(said).containsExactlyElementsOf(expected(recorded, settings));
    assertThat(traffic.connected)
        .isEqualTo(recorded.destinations(isServer, settings.options().queuePairs));
    assertThat(reportCollector.results()).hasSize(expectedResults(settings));
  }

  static Stream<Arguments> recordedRunsThroughTheConnectionManager() {
    return Stream.of(
            "cm_write_bw",
            "cm_write_lat",
            "cm_read_bw_q2",
            "cm_send_bw_q2",
            "cm_send_bw_ud",
            "cm_send_bw_ud_b",
            "cm_send_lat",
            "cm_send_lat_ud",
            "cm_atomic_lat")
        .flatMap(name -> Stream.of(Arguments.of(name, true), Arguments.of(name, false)));
  }

  @ParameterizedTest(name = "{0}, server: {1}")
  @MethodSource("recordedRunsThroughTheConnectionManager")
  void saysTheSameThroughTheConnectionManager(String name, boolean isServer) {
    RecordedExchange recorded = RecordedExchange.read(name);
    PerftestSettings settings = settings(recorded, isServer);
    RecordedTraffic traffic = traffic(recorded, settings);
    RecordedLink link = new RecordedLink(recorded, isServer);

    new TestSequence(
            ControlChannel.over(link, isServer),
            settings,
            traffic,
            new ReportCollector(new NoReport()))
        .follow();

    assertThat(link.isOver()).isTrue();
    assertThat(link.heard)
        .usingElementComparator(Arrays::compare)
        .containsExactlyElementsOf(
            expected(recorded, settings).stream().map(TestSequenceTest::meant).toList());
    assertThat(traffic.connected)
        .isEqualTo(recorded.destinations(isServer, settings.options().queuePairs));
  }

  /** Without what the peer makes no use of: the padding of a description, and the GID index. */
  private static byte[] meant(byte[] message) {
    if (message.length != PingpongDest.BYTES) {
      return message;
    }
    byte[] copy = message.clone();
    Arrays.fill(copy, 20, 24, (byte) 0);
    Arrays.fill(copy, 52, 56, (byte) 0);
    return copy;
  }

  private static PerftestSettings settings(RecordedExchange recorded, boolean isServer) {
    PerftestOptions options = new PerftestOptions();
    CommandLine command = new CommandLine(CommandSpec.forAnnotatedObject(options));
    command.parseArgs(recorded.options());
    return new PerftestSettings(recorded.benchmark(), options, isServer);
  }

  private static RecordedTraffic traffic(RecordedExchange recorded, PerftestSettings settings) {
    boolean isClient = !settings.isServer();
    return new RecordedTraffic(
        settings,
        recorded.destinations(isClient, settings.options().queuePairs),
        recorded.reports(isClient));
  }

  private interface SequenceSide {
    void speak(TcpConnection connection) throws IOException;
  }

  /** What our side said to the recorded other one. */
  private static List<byte[]> converse(
      RecordedExchange recorded, boolean isServer, SequenceSide ours) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket listening = new ServerSocket(0, 1, here);
        Socket theirs = new Socket(here, listening.getLocalPort());
        TcpConnection connection = new TcpConnection(listening.accept())) {
      FutureTask<List<byte[]>> other = new FutureTask<>(() -> recorded.play(isServer, theirs));
      Thread thread = new Thread(other, "recorded side");
      thread.start();
      ours.speak(connection);
      connection.socket().shutdownOutput();
      return other.get();
    }
  }

  /** A server that has not measured says nothing that means something, and ours says zero. */
  private static List<byte[]> expected(RecordedExchange recorded, PerftestSettings settings) {
    boolean isSilent = settings.isServer() && !settings.isBidirectional() && !settings.isLatency();
    return recorded.of(!settings.isServer()).stream()
        .map(bytes -> isSilent && bytes.length == Long.BYTES ? new byte[Long.BYTES] : bytes)
        .toList();
  }

  private static int expectedResults(PerftestSettings settings) {
    boolean isTold = settings.isServer() && settings.operation() != PerftestOperation.SEND;
    if (isTold && !settings.isBidirectional() && settings.benchmark() != Benchmark.WRITE_LAT) {
      return settings.isLatency() ? 0 : 1;
    }
    return settings.options().allSizes ? 23 : 1;
  }
}

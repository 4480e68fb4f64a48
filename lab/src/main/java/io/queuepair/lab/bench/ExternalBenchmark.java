// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static io.queuepair.lab.bench.ExternalTool.LIBFABRIC;
import static io.queuepair.lab.bench.ExternalTool.PERFTEST;
import static io.queuepair.lab.bench.ExternalTool.SOFTROCE;
import static io.queuepair.lab.bench.ExternalTool.UCX;
import static io.queuepair.lab.bench.Unit.GIGABYTES_PER_SECOND;
import static io.queuepair.lab.bench.Unit.MICROSECONDS;
import static io.queuepair.lab.bench.Unit.MILLIONS_PER_SECOND;

import io.queuepair.lab.bench.ExternalTool.ToolRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A figure of another library, by its own program, between two processes of this host or in a
 * guest.
 *
 * @param tool whose
 * @param title what is measured
 * @param unit of the figure
 * @param test the program, if there are several, and the options that say so
 * @param reading where the program prints the figure
 */
record ExternalBenchmark(ExternalTool tool, String title, Unit unit, String test, Reading reading) {
  /**
   * Where a program prints a figure.
   *
   * @param field of the last line that begins with a number, from 0
   * @param factor what it is multiplied by
   * @param iterations how often the program does it
   */
  record Reading(int field, double factor, int iterations) {}

  private static final String HOST = "127.0.0.1";
  private static final int TRIES = 20;
  private static final int QUICK_ITERATIONS = 100;

  // ucx_perftest -f: iterations, median, average, overall microseconds, two bandwidths, two rates.
  private static final int UCX_MEAN_MICROS = 2;
  private static final int UCX_RATE = 7;

  // fi_pingpong: bytes, #sent, #ack, total, time, MB/sec, usec/xfer, Mxfers/sec.
  private static final int FABRIC_MEGABYTES = 5;
  private static final int FABRIC_MICROS = 6;

  // ib_write_bw: bytes, iterations, peak, average, rate. ib_send_lat: bytes, iterations, least,
  // most, typical, average, deviation, two percentiles. A MB has 2^20 bytes.
  private static final int PERFTEST_MEGABYTES = 3;
  private static final int PERFTEST_RATE = 4;
  private static final int PERFTEST_MEAN_MICROS = 5;
  private static final double GIGABYTES_PER_MEBIBYTE = (1 << 20) / 1e9;

  static final List<ExternalBenchmark> ALL =
      List.of(
          new ExternalBenchmark(
              UCX,
              "UCX over TCP, put 64 KiB",
              GIGABYTES_PER_SECOND,
              "-t ucp_put_bw -s 65536",
              new Reading(UCX_RATE, 65_536 / 1e9, 20_000)),
          new ExternalBenchmark(
              UCX,
              "UCX over TCP, put 8 B",
              MILLIONS_PER_SECOND,
              "-t ucp_put_bw -s 8",
              new Reading(UCX_RATE, 1e-6, 200_000)),
          new ExternalBenchmark(
              UCX,
              "UCX over TCP, tagged 64 B one way",
              MICROSECONDS,
              "-t tag_lat -s 64",
              new Reading(UCX_MEAN_MICROS, 1, 50_000)),
          new ExternalBenchmark(
              LIBFABRIC,
              "libfabric tcp, 64 KiB ping-pong",
              GIGABYTES_PER_SECOND,
              "-p tcp -e msg -S 65536",
              new Reading(FABRIC_MEGABYTES, 1e-3, 20_000)),
          new ExternalBenchmark(
              LIBFABRIC,
              "libfabric tcp, 64 B one way",
              MICROSECONDS,
              "-p tcp -e msg -S 64",
              new Reading(FABRIC_MICROS, 1, 50_000)),
          new ExternalBenchmark(
              LIBFABRIC,
              "libfabric udp, 64 B one way",
              MICROSECONDS,
              "-p udp -e dgram -S 64",
              new Reading(FABRIC_MICROS, 1, 50_000)),
          new ExternalBenchmark(
              LIBFABRIC,
              "libfabric shm, 64 B one way",
              MICROSECONDS,
              "-p shm -e rdm -S 64",
              new Reading(FABRIC_MICROS, 1, 200_000)),
          new ExternalBenchmark(
              PERFTEST,
              "ib_write_bw on this emulator, 64 KiB",
              GIGABYTES_PER_SECOND,
              "ib_write_bw -s 65536",
              new Reading(PERFTEST_MEGABYTES, GIGABYTES_PER_MEBIBYTE, 5_000)),
          new ExternalBenchmark(
              PERFTEST,
              "ib_write_bw on this emulator, 8 B",
              MILLIONS_PER_SECOND,
              "ib_write_bw -s 8",
              new Reading(PERFTEST_RATE, 1, 100_000)),
          new ExternalBenchmark(
              PERFTEST,
              "ib_send_lat on this emulator, 64 B one way",
              MICROSECONDS,
              "ib_send_lat -s 64",
              new Reading(PERFTEST_MEAN_MICROS, 1, 20_000)),
          new ExternalBenchmark(
              SOFTROCE,
              "Soft-RoCE in a guest, ib_write_bw 64 KiB",
              GIGABYTES_PER_SECOND,
              "ib_write_bw -s 65536",
              new Reading(PERFTEST_MEGABYTES, GIGABYTES_PER_MEBIBYTE, 500)),
          new ExternalBenchmark(
              SOFTROCE,
              "Soft-RoCE in a guest, ib_send_lat 64 B",
              MICROSECONDS,
              "ib_send_lat -s 64",
              new Reading(PERFTEST_MEAN_MICROS, 1, 500)));

  /**
   * Lets the program measure.
   *
   * @param queuepair how this program is started
   * @throws IOException if it did not work, in one line for a person
   */
  double measure(boolean isQuick, List<String> queuepair) throws IOException {
    int iterations = isQuick ? QUICK_ITERATIONS : reading.iterations();
    ToolRun run = new ToolRun(List.of(test.split(" ")), iterations, freePort(), null, queuepair);
    try {
      return tool.hasServer() ? measureBetweenTwo(run) : read(printedBy(run));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  /** Runs a server, and clients until one of them has reached it. */
  private double measureBetweenTwo(ToolRun serving) throws IOException, InterruptedException {
    ToolRun connecting = serving.clientOf(HOST);
    IOException latest = new IOException("the server ended");
    Process server = start(serving, ProcessBuilder.Redirect.DISCARD);
    try {
      // It does not say when it is ready.
      for (int i = 0; i < TRIES && !server.waitFor(100, TimeUnit.MILLISECONDS); i++) {
        try {
          return read(printedBy(connecting));
        } catch (IOException failed) {
          latest = failed;
        }
      }
      throw latest;
    } finally {
      server.destroyForcibly();
    }
  }

  /** What a program prints, which is little, until it ends. */
  private String printedBy(ToolRun run) throws IOException, InterruptedException {
    Process process = start(run, ProcessBuilder.Redirect.PIPE);
    try {
      if (!process.waitFor(tool.secondsAtMost(), TimeUnit.SECONDS)) {
        throw new IOException("it took longer than " + tool.secondsAtMost() + " seconds");
      }
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException(lastLine(printed));
      }
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(ToolRun run, ProcessBuilder.Redirect output) throws IOException {
    return new ProcessBuilder(tool.command(run))
        .redirectErrorStream(true)
        .redirectOutput(output)
        .start();
  }

  private static String lastLine(String printed) {
    return lastLine(printed, line -> !line.isEmpty()).orElse("it printed nothing");
  }

  private static Optional<String> lastLine(String printed, Predicate<String> isWanted) {
    return printed.lines().map(String::strip).filter(isWanted).reduce((first, second) -> second);
  }

  /** The figure in what the program printed. */
  double read(String printed) throws IOException {
    String line =
        lastLine(printed, text -> !text.isEmpty() && Character.isDigit(text.charAt(0)))
            .orElseThrow(() -> new IOException(lastLine(printed)));
    String[] fields = line.split("\\s+", -1);
    try {
      return Double.parseDouble(fields[reading.field()]) * reading.factor();
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException unreadable) {
      throw new IOException("no figure in: " + line, unreadable);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Benchmark that an external program runs and measures between two processes of this host.
 *
 * @param test options of the program that select the test; preceded by its name if the tool has
 *     several programs
 * @param field index, from 0, of the figure in the last printed line that begins with a digit
 * @param factor factor from the printed figure to the unit
 * @param iterations number of operations that the program measures
 */
record ExternalBenchmark(
    ExternalTool tool,
    String title,
    Unit unit,
    String test,
    int field,
    double factor,
    int iterations) {
  private static final int TRIES = 20;
  private static final int SECONDS_AT_MOST = 120;

  // Fields of ucx_perftest -f: iterations, median, average, overall microseconds, two bandwidths,
  // two rates. Of fi_pingpong: bytes, #sent, #ack, total, time, MB/sec, usec/xfer, Mxfers/sec. Of
  // ib_write_bw: bytes, iterations, peak, average in 2^20 bytes, rate. Of ib_send_lat: bytes,
  // iterations, least, most, typical, average.
  static final List<ExternalBenchmark> ALL =
      """
      UCX|UCX over TCP, put 64 KiB|GB/s|-t ucp_put_bw -s 65536|7|65.536e-6|20000
      UCX|UCX over TCP, put 8 B|M/s|-t ucp_put_bw -s 8|7|1e-6|200000
      UCX|UCX over TCP, tagged 64 B one way|us|-t tag_lat -s 64|2|1|50000
      LIBFABRIC|libfabric tcp, 64 KiB ping-pong|GB/s|-p tcp -e msg -S 65536|5|1e-3|20000
      LIBFABRIC|libfabric tcp, 64 B one way|us|-p tcp -e msg -S 64|6|1|50000
      LIBFABRIC|libfabric udp, 64 B one way|us|-p udp -e dgram -S 64|6|1|50000
      LIBFABRIC|libfabric shm, 64 B one way|us|-p shm -e rdm -S 64|6|1|200000
      PERFTEST|ib_write_bw on this emulator, 64 KiB|GB/s|ib_write_bw -s 65536|3|1.048576e-3|5000
      PERFTEST|ib_write_bw on this emulator, 8 B|M/s|ib_write_bw -s 8|4|1|100000
      PERFTEST|ib_send_lat on this emulator, 64 B one way|us|ib_send_lat -s 64|5|1|20000
      """
          .lines()
          .map(ExternalBenchmark::parsed)
          .toList();

  private static ExternalBenchmark parsed(String line) {
    String[] cells = line.split("\\|", -1);
    return new ExternalBenchmark(
        ExternalTool.valueOf(cells[0]),
        cells[1],
        Unit.of(cells[2]),
        cells[3],
        Integer.parseInt(cells[4]),
        Double.parseDouble(cells[5]),
        Integer.parseInt(cells[6]));
  }

  /**
   * Runs the program's server, and its client again until it has reached the server.
   *
   * @throws IOException if that failed; the message is one line for the user
   */
  double measure(List<String> queuepair) throws IOException {
    int port = freePort();
    IOException latest = new IOException("the server ended");
    List<String> serve = tool.command(true, this, port, queuepair);
    Process server = start(serve, ProcessBuilder.Redirect.DISCARD);
    try {
      // The server prints nothing when it is ready.
      for (int i = 0; i < TRIES && !server.waitFor(100, TimeUnit.MILLISECONDS); i++) {
        try {
          return read(printedBy(tool.command(false, this, port, queuepair)));
        } catch (IOException failed) {
          latest = failed;
        }
      }
      throw latest;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      server.destroyForcibly();
    }
  }

  /** Output of a program; short enough to be read after the program has ended. */
  private static String printedBy(List<String> command) throws IOException, InterruptedException {
    Process process = start(command, ProcessBuilder.Redirect.PIPE);
    try {
      if (!process.waitFor(SECONDS_AT_MOST, TimeUnit.SECONDS)) {
        throw new IOException("it took longer than " + SECONDS_AT_MOST + " seconds");
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

  private static Process start(List<String> command, ProcessBuilder.Redirect output)
      throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
  }

  private static String lastLine(String printed) {
    return lastLine(printed, line -> !line.isEmpty()).orElse("it printed nothing");
  }

  private static Optional<String> lastLine(String printed, Predicate<String> isWanted) {
    return printed.lines().map(String::strip).filter(isWanted).reduce((first, second) -> second);
  }

  /** Figure in the output of the program. */
  double read(String printed) throws IOException {
    String line =
        lastLine(printed, text -> !text.isEmpty() && Character.isDigit(text.charAt(0)))
            .orElseThrow(() -> new IOException(lastLine(printed)));
    String[] fields = line.split("\\s+", -1);
    try {
      return Double.parseDouble(fields[field]) * factor;
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

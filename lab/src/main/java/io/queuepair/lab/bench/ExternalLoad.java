// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Load that an external program runs and measures between two processes of this host.
 *
 * @param server command line of the server; PORT stands for a free port
 * @param client command line of the client
 * @param field index, from 0, of the figure in the last printed line that begins with a digit:
 *     microseconds of a message
 */
record ExternalLoad(String title, String server, String client, int field) implements Load {
  private static final int TRIES = 20;
  private static final int SECONDS_AT_MOST = 30;

  /** Prints iterations, median, average and overall microseconds, and more. */
  static final ExternalLoad UCX =
      new ExternalLoad(
          "UCX over TCP, tagged 64 B one way",
          "ucx_perftest -p PORT",
          "ucx_perftest -p PORT -f -t tag_lat -s 64 -n 20000 127.0.0.1",
          2);

  /** Prints bytes, #sent, #ack, total, time, MB/sec, usec/xfer and Mxfers/sec. */
  static final ExternalLoad LIBFABRIC =
      new ExternalLoad(
          "libfabric tcp, 64 B one way",
          "fi_pingpong -p tcp -e msg -S 64 -I 20000 -B PORT",
          "fi_pingpong -p tcp -e msg -S 64 -I 20000 -P PORT 127.0.0.1",
          6);

  private String program() {
    return client.split(" ", 2)[0];
  }

  boolean isInstalled() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program())));
  }

  @Override
  public long run(long nanos) {
    throw new UnsupportedOperationException("a program that measures itself takes its own time");
  }

  /** Runs the program's server, and its client again until it has reached the server. */
  @Override
  public double messagesPerSecond(long nanos) throws IOException {
    String port = "" + freePort();
    IOException latest = new IOException("the server of " + program() + " ended");
    Process serving = start(server.replace("PORT", port), ProcessBuilder.Redirect.DISCARD);
    try {
      // The server prints nothing when it is ready.
      for (int i = 0; i < TRIES && !serving.waitFor(100, TimeUnit.MILLISECONDS); i++) {
        try {
          return 1e6 / read(printedBy(client.replace("PORT", port)));
        } catch (IOException failed) {
          latest = failed;
        }
      }
      throw latest;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      serving.destroyForcibly();
    }
  }

  /** Output of a program; short enough to be read after the program has ended. */
  private String printedBy(String command) throws IOException, InterruptedException {
    Process process = start(command, ProcessBuilder.Redirect.PIPE);
    try {
      if (!process.waitFor(SECONDS_AT_MOST, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(program() + " failed");
      }
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(String command, ProcessBuilder.Redirect output) throws IOException {
    ProcessBuilder process = new ProcessBuilder(command.split(" ", -1)).redirectErrorStream(true);
    process.environment().putAll(Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo"));
    return process.redirectOutput(output).start();
  }

  /** Figure in the output of the program. */
  double read(String printed) throws IOException {
    String[] fields =
        printed
            .lines()
            .map(line -> line.strip().split("\\s+", -1))
            .filter(line -> line.length > field && Character.isDigit(line[0].charAt(0)))
            .reduce((first, second) -> second)
            .orElseThrow(() -> new IOException(program() + " printed no figure"));
    return Double.parseDouble(fields[field]);
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }
}

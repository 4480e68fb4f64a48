package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays ping-pong with {@code ibv_rc_pingpong} or with itself. */
@Command(
    name = "rc-pingpong",
    sortOptions = false,
    description = {
      "Sends messages back and forth over a reliable connection and takes the time: the other side"
          + " of ibv_rc_pingpong (rdma-core 44), with its options, lines and TCP exchange.",
      "Without SERVER it waits for a client.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair rc-pingpong --bind 127.0.0.2             a server",
      "  queuepair rc-pingpong --bind 127.0.0.3 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair rc-pingpong -c -n 100         a server on this host, and the",
      "  ibv_rc_pingpong -g 1 -c -n 100 HOST     client on Linux (-g: its IPv4 GID)"
    })
public final class RcPingpongCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  @Spec private CommandSpec spec;
  @Mixin private PingpongOptions options = new PingpongOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "SERVER",
      description = "Host of the server; without it this is the server.")
  private String server;

  /** Creates the command, to be filled by picocli. */
  public RcPingpongCommand() {}

  /**
   * Plays.
   *
   * @return the exit code
   * @throws IOException if the port of the server cannot be closed
   */
  @Override
  public Integer call() throws IOException {
    options.check(spec.commandLine());
    // Before anything is printed, so that a client started at the first line finds the port open.
    try (ServerSocket listening = server == null ? TcpExchange.listen(options.port) : null;
        UdpDevice device = openDevice()) {
      if (options.deviceName != null && !options.deviceName.equals(device.device().name())) {
        throw new CommandFailure(
            "IB device "
                + options.deviceName
                + " not found; the emulated device is "
                + device.device().name());
      }
      // No object is closed by itself: the last acknowledgement may not have left yet, and it does
      // before the device goes.
      return play(device, listening);
    }
  }

  private UdpDevice openDevice() {
    if (options.bindAddress != null) {
      return UdpDevice.open(options.transport, List.of(options.bindAddress), options.capture);
    }
    InetAddress chosen =
        server == null
            ? LocalAddresses.first()
            : LocalAddresses.toReach(TcpExchange.resolve(server, options.port)[0]);
    UdpDevice device =
        UdpDevice.open(options.transport, List.of(chosen.getHostAddress()), options.capture);
    spec.commandLine()
        .getErr()
        .println("without --bind: the device is on " + chosen.getHostAddress());
    return device;
  }

  private int play(UdpDevice device, ServerSocket listening) {
    PrintWriter out = spec.commandLine().getOut();
    Context context = device.device().open();
    Endpoint endpoint = new Endpoint(context, options);
    endpoint.postReceives(options.rxDepth);
    if (options.usesEvents) {
      endpoint.cq().reqNotify(false);
    }
    out.println("  local address:  " + endpoint.address());
    PeerAddress peer = meet(endpoint, listening);
    out.println("  remote address: " + peer);
    PingpongLoop loop = new PingpongLoop(device.emulator(), endpoint, options);
    if (server != null) {
      endpoint.connect(peer);
      if (options.checksData) {
        endpoint.mark();
      }
      loop.serve();
    }
    long startNanos = System.nanoTime();
    Optional<WorkCompletion> failed = loop.play();
    long nanos = System.nanoTime() - startNanos;
    if (failed.isPresent()) {
      report(failed.get());
      return FAILED;
    }
    reportTime(nanos);
    return server == null && options.checksData ? checkData(endpoint) : 0;
  }

  private PeerAddress meet(Endpoint endpoint, ServerSocket listening) {
    TcpExchange exchange = TcpExchange.withUsualPatience();
    return server == null
        ? exchange.withClient(listening, endpoint.address(), endpoint::connect)
        : exchange.withServer(server, options.port, endpoint.address());
  }

  private void report(WorkCompletion failed) {
    WcStatus status = failed.status();
    spec.commandLine()
        .getErr()
        .printf(
            "Failed status %s (%d) for wr_id %d%n", status.text(), status.code(), failed.wrId());
  }

  private void reportTime(long nanos) {
    long bytes = (long) options.size * options.iterations * 2;
    double seconds = nanos / NANOS_PER_SECOND;
    double micros = nanos / NANOS_PER_MICRO;
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%d bytes in %.2f seconds = %.2f Mbit/sec%n",
        bytes,
        seconds,
        bytes * 8 / micros);
    out.printf(
        Locale.ROOT,
        "%d iters in %.2f seconds = %.2f usec/iter%n",
        options.iterations,
        seconds,
        micros / options.iterations);
  }

  private int checkData(Endpoint endpoint) {
    List<Integer> invalid = endpoint.invalidPages();
    invalid.forEach(page -> spec.commandLine().getOut().println("invalid data in page " + page));
    return invalid.isEmpty() ? 0 : FAILED;
  }
}

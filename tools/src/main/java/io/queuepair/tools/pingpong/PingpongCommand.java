// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs ping-pong with a program of rdma-core or with another instance of itself. */
@Command(
    name = "pingpong",
    sortOptions = false,
    description = {
      "Sends messages back and forth and takes the time: the other side of ibv_rc_pingpong,"
          + " ibv_uc_pingpong, ibv_ud_pingpong, ibv_srq_pingpong and ibv_xsrq_pingpong (rdma-core"
          + " 44), in Java alone, with their exchange of addresses over TCP.",
      "Without SERVER it waits for a client. UC and UD send nothing again: if a packet is lost,"
          + " both sides wait for ever. A datagram is one packet, so it cannot be longer than the"
          + " MTU of the port: 1024 on Ethernet with its usual 1500, 4096 on loopback.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair pingpong --bind 127.0.0.2             a server",
      "  queuepair pingpong --bind 127.0.0.3 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair pingpong --type ud -c -n 100   a server on this host, and the",
      "  ibv_ud_pingpong -g 1 -c -n 100 HOST      client on Linux (-g: its IPv4 GID)"
    })
public final class PingpongCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  /** Number of addresses exchanged with srq, regardless of the number of queue pairs. */
  private static final int SRQ_ADDRESSES = 256;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  @Spec private CommandSpec spec;
  @Mixin private PingpongOptions options = new PingpongOptions();

  @Override
  public Integer call() throws IOException {
    options.check(spec.commandLine());
    // Opened before any output, so that a client started at the first line can connect.
    try (ServerSocket listening = options.listen(options.clients);
        UdpDevice device = options.openDevice(spec.commandLine())) {
      // Objects are not closed one by one: the last acknowledgement may be unsent, and closing the
      // device sends it.
      return options.type == PingpongType.XRC
          ? playXrc(device, listening)
          : playConnected(device, listening);
    }
  }

  private int playConnected(UdpDevice device, ServerSocket listening) {
    boolean sharesReceives = options.type == PingpongType.SRQ;
    int queuePairs = sharesReceives ? options.queuePairCount : 1;
    int rxDepth = options.rxDepth;
    int cqe = (int) Math.min(Integer.MAX_VALUE, (long) rxDepth + queuePairs);
    PingpongContext context = new PingpongContext(device.device().open(), options, cqe);
    ConnectedQueuePairs qps =
        sharesReceives
            ? ConnectedQueuePairs.sharing(context, queuePairs, rxDepth)
            : ConnectedQueuePairs.single(context, rxDepth);
    qps.postReceives(rxDepth);
    context.awaitEvents();
    qps.addresses().forEach(own -> out().println("  local address:  " + own));
    List<PeerAddress> peers = meet(qps, listening);
    peers.forEach(peer -> out().println("  remote address: " + peer));
    var limits = new PingpongLoop.LoopLimits(options.iterations, options.iterations, rxDepth);
    PingpongLoop loop = new PingpongLoop(device.emulator(), context, qps, limits);
    if (!options.isServer()) {
      qps.connect(peers);
      if (options.checksData) {
        context.mark();
      }
      loop.serve();
    }
    if (!plays(loop, options.iterations)) {
      return FAILED;
    }
    // The peer may have lost the last acknowledgement, or messages of other queue pairs may be in
    // flight.
    device.emulator().run(options.type.linger());
    return options.isServer() && options.checksData ? checkData(context) : 0;
  }

  private List<PeerAddress> meet(ConnectedQueuePairs qps, ServerSocket listening) {
    TcpExchange exchange = TcpExchange.withDefaultTimeout();
    int slots = options.type == PingpongType.SRQ ? SRQ_ADDRESSES : 1;
    QpAddressList ownAddresses = new QpAddressList(qps.addresses(), slots);
    QpAddressList peers =
        options.isServer()
            ? exchange.withClient(
                listening, ownAddresses, theirAddresses -> qps.connect(theirAddresses.used()))
            : exchange.withServer(options.server, options.tcpPort, ownAddresses);
    return peers.used();
  }

  private int playXrc(UdpDevice device, ServerSocket listening) {
    int partners = options.isServer() ? options.clients : 1;
    PingpongContext context = new PingpongContext(device.device().open(), options, 2 * partners);
    XrcQueuePairs qps = new XrcQueuePairs(context, partners);
    qps.postReceives(partners);
    context.awaitEvents();
    long total = (long) partners * options.iterations;
    var limits = new PingpongLoop.LoopLimits(total, options.iterations, partners);
    try (XrcExchange exchange = new XrcExchange(qps, out())) {
      if (options.isServer()) {
        exchange.withClients(listening);
      } else {
        exchange.withServer(options.server, options.tcpPort);
      }
      PingpongLoop loop = new PingpongLoop(device.emulator(), context, qps, limits);
      if (options.isServer()) {
        loop.serve();
      }
      if (!plays(loop, total)) {
        return FAILED;
      }
      exchange.end();
    }
    return 0;
  }

  /** Runs the exchange and prints its duration, or the failed completion that ended it early. */
  private boolean plays(PingpongLoop loop, long exchanges) {
    long startNanos = System.nanoTime();
    Optional<WorkCompletion> failed = loop.play();
    long nanos = System.nanoTime() - startNanos;
    failed.ifPresentOrElse(this::report, () -> reportTime(exchanges, nanos));
    return failed.isEmpty();
  }

  private void report(WorkCompletion failed) {
    WcStatus status = failed.status();
    spec.commandLine()
        .getErr()
        .printf(
            "Failed status %s (%d) for wr_id %d%n", status.text(), status.code(), failed.wrId());
  }

  private void reportTime(long exchanges, long nanos) {
    long bytes = options.sizeBytes() * exchanges * 2;
    double seconds = nanos / NANOS_PER_SECOND;
    double micros = nanos / NANOS_PER_MICRO;
    out()
        .printf(
            Locale.ROOT,
            "%d bytes in %.2f seconds = %.2f Mbit/sec%n",
            bytes,
            seconds,
            bytes * 8 / micros);
    out()
        .printf(
            Locale.ROOT,
            "%d iters in %.2f seconds = %.2f usec/iter%n",
            exchanges,
            seconds,
            micros / exchanges);
  }

  private int checkData(PingpongContext context) {
    List<Integer> invalid = context.invalidPages();
    invalid.forEach(page -> out().println("invalid data in page " + page));
    return invalid.isEmpty() ? 0 : FAILED;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}

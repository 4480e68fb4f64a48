// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** A ping-pong that takes the time: all but the one with extended reliable connections. */
abstract class TimedPingpongCommand extends PingpongCommand {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  @Mixin private TimedPingpongOptions rally = new TimedPingpongOptions();

  @Override
  void checkOptions(CommandLine command) {
    rally.check(command);
  }

  final int rxDepth() {
    return rally.rxDepth;
  }

  /** What carries the messages. */
  abstract PingpongTransport service();

  /** How many queue pairs there are. */
  int queuePairCount() {
    return 1;
  }

  /** How many addresses are exchanged. */
  int addressSlots() {
    return 1;
  }

  ConnectedQueuePairs createQueuePairs(PingpongContext endpoint) {
    return ConnectedQueuePairs.single(endpoint, service(), rxDepth());
  }

  /** The line of an own address. */
  String localLine(PeerAddress own) {
    return "  local address:  " + own;
  }

  @Override
  final int play(UdpDevice device, ServerSocket listening) {
    int cqe = (int) Math.min(Integer.MAX_VALUE, (long) rxDepth() + queuePairCount());
    PingpongContext endpoint =
        new PingpongContext(device.device().open(), options(), service(), cqe);
    ConnectedQueuePairs qps = createQueuePairs(endpoint);
    qps.postReceives(rxDepth());
    endpoint.awaitEvents();
    qps.addresses().forEach(own -> out().println(localLine(own)));
    List<PeerAddress> peers = meet(qps, listening);
    peers.forEach(peer -> out().println("  remote address: " + peer));
    var goal = new PingpongLoop.LoopLimits(rally.iterations, rally.iterations, rxDepth());
    PingpongLoop loop = new PingpongLoop(device.emulator(), endpoint, qps, goal);
    if (!isServer()) {
      qps.connect(peers);
      if (rally.checksData) {
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
    // The peer may have lost the last acknowledgement, or messages of other queue pairs are still
    // under way.
    device.emulator().run(service().linger());
    return isServer() && rally.checksData ? checkData(endpoint) : 0;
  }

  private List<PeerAddress> meet(ConnectedQueuePairs qps, ServerSocket listening) {
    TcpExchange exchange = TcpExchange.withDefaultTimeout();
    QpAddressList own = new QpAddressList(qps.addresses(), addressSlots());
    QpAddressList peers =
        isServer()
            ? exchange.withClient(listening, own, theirs -> qps.connect(theirs.used()))
            : exchange.withServer(options().side.server(), options().side.tcpPort(), own);
    return peers.used();
  }

  private void report(WorkCompletion failed) {
    WcStatus status = failed.status();
    err()
        .printf(
            "Failed status %s (%d) for wr_id %d%n", status.text(), status.code(), failed.wrId());
  }

  private void reportTime(long nanos) {
    long bytes = (long) options().size * rally.iterations * 2;
    double seconds = nanos / NANOS_PER_SECOND;
    double micros = nanos / NANOS_PER_MICRO;
    PrintWriter out = out();
    out.printf(
        Locale.ROOT,
        "%d bytes in %.2f seconds = %.2f Mbit/sec%n",
        bytes,
        seconds,
        bytes * 8 / micros);
    out.printf(
        Locale.ROOT,
        "%d iters in %.2f seconds = %.2f usec/iter%n",
        rally.iterations,
        seconds,
        micros / rally.iterations);
  }

  private int checkData(PingpongContext endpoint) {
    List<Integer> invalid = endpoint.invalidPages();
    invalid.forEach(page -> out().println("invalid data in page " + page));
    return invalid.isEmpty() ? 0 : FAILED;
  }
}

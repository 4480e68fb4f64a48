// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.WorkCompletion;
import java.net.ServerSocket;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Plays ping-pong as {@code ibv_xsrq_pingpong} does. */
@Command(
    name = "xsrq-pingpong",
    sortOptions = false,
    description = {
      "Sends messages back and forth over extended reliable connections (XRC), with one shared"
          + " receive queue at each side: ibv_xsrq_pingpong of rdma-core 44, its options, lines"
          + " and TCP exchange. Linux Soft-RoCE has no XRC, so the other side is this program or"
          + " one on hardware.",
      "Without SERVER it waits for as many clients as -c says, then sends to all of them.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair xsrq-pingpong --bind 127.0.0.2              a server",
      "  queuepair xsrq-pingpong --bind 127.0.0.3 127.0.0.2    its client, elsewhere",
      "",
      "  queuepair xsrq-pingpong --bind 127.0.0.2 -c 2         a server of two clients",
      "  queuepair xsrq-pingpong --bind 127.0.0.3 127.0.0.2    each client has an",
      "  queuepair xsrq-pingpong --bind 127.0.0.4 127.0.0.2    address of its own"
    })
public final class XsrqPingpongCommand extends PingpongCommand {
  @Mixin private PathMtuOption pathMtu = new PathMtuOption();
  @Mixin private AckTimeoutOption ackTimeout = new AckTimeoutOption();
  @Mixin private PingpongUnsupportedOptions unoffered = new PingpongUnsupportedOptions();

  @Option(
      order = -14,
      names = {"-c", "--clients"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description =
          "Clients to wait for; a client ignores it, as both sides may be given the same options"
              + " (default ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      order = -13,
      names = {"-n", "--num_tests"},
      paramLabel = "COUNT",
      defaultValue = "5",
      description = "Number of exchanges with each client (default ${DEFAULT-VALUE}).")
  private int testCount;

  /** Creates the command, to be filled by picocli. */
  public XsrqPingpongCommand() {}

  @Override
  void checkOptions(CommandLine command) {
    unoffered.check(command);
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("clients", clients, 1, Short.MAX_VALUE);
    rangeChecks.require("num_tests", testCount, 1, Integer.MAX_VALUE);
    pathMtu.check(command);
    ackTimeout.check(command);
  }

  @Override
  int clients() {
    return clients;
  }

  @Override
  int play(UdpDevice device, ServerSocket listening) {
    int partners = isServer() ? clients : 1;
    ReliableConnection service = new ReliableConnection(pathMtu.mtu(), ackTimeout.code);
    PingpongContext endpoint =
        new PingpongContext(device.device().open(), options(), service, 2 * partners);
    XrcQueuePairs qps = new XrcQueuePairs(endpoint, service, partners);
    qps.postReceives(partners);
    endpoint.awaitEvents();
    var goal = new PingpongLoop.LoopLimits((long) partners * testCount, testCount, partners);
    try (XrcExchange exchange = new XrcExchange(qps, out())) {
      if (isServer()) {
        exchange.withClients(listening);
      } else {
        exchange.withServer(options().side.server(), options().side.tcpPort());
      }
      PingpongLoop loop = new PingpongLoop(device.emulator(), endpoint, qps, goal);
      if (isServer()) {
        loop.serve();
      }
      Optional<WorkCompletion> failed = loop.play();
      if (failed.isPresent()) {
        report(failed.get());
        return FAILED;
      }
      exchange.end();
    }
    out().println("success");
    return 0;
  }

  private void report(WorkCompletion failed) {
    err().printf("Work completion error %d (%s)%n", failed.status().code(), failed.status().text());
  }
}

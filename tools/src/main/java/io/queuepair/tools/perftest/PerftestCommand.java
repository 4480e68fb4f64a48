// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpType;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures bandwidth or latency with perftest or with itself; one command for each benchmark. */
@Command(sortOptions = false, footerHeading = "%nExamples:%n")
public final class PerftestCommand implements Callable<Integer> {
  private static final String STARS = "*".repeat(36);

  private final Benchmark benchmark;

  @Spec private CommandSpec spec;
  @Mixin private PerftestOptions options = new PerftestOptions();

  private PerftestCommand(Benchmark benchmark) {
    this.benchmark = benchmark;
  }

  /**
   * Adds commands of the family.
   *
   * @param parent whose subcommands they become
   * @param wanted is asked for the name of each
   */
  public static void addTo(CommandLine parent, Predicate<String> wanted) {
    for (Benchmark benchmark : Benchmark.values()) {
      if (!wanted.test(benchmark.commandName())) {
        continue;
      }
      CommandLine command = new CommandLine(new PerftestCommand(benchmark));
      command.registerConverter(QpType.class, new TransportConverter(benchmark));
      new HelpText(benchmark).describe(command.getCommandSpec());
      PerftestUnsupportedOptions.addTo(command);
      parent.addSubcommand(benchmark.commandName(), command);
    }
  }

  /**
   * Measures.
   *
   * @return the exit code
   * @throws IOException if the port of the server cannot be closed, or a file not be written
   */
  @Override
  public Integer call() throws IOException {
    options.side.check(spec.commandLine());
    RangeChecks rangeChecks = new RangeChecks(spec.commandLine());
    options.readAckTimeout(rangeChecks);
    new OptionRules(rangeChecks, benchmark, options).check();
    ReportFiles.probe(spec.commandLine(), options);
    if (options.usesRdmaCm) {
      measureOverCm();
    } else {
      measureOverTcp();
    }
    return 0;
  }

  private void measureOverTcp() throws IOException {
    // Before anything is printed, so that a client started at the first line finds the port open.
    try (ServerSocket listening = options.side.listen(1);
        UdpDevice device = options.side.openDevice(spec.commandLine())) {
      PerftestSettings settings = settings();
      TestTraffic traffic = traffic(device.device().open(), settings, null);
      sayThatServerWaits();
      // No object is closed by itself: the last acknowledgement may not have left yet, and it does
      // before the device goes.
      try (TcpConnection connection = connect(listening)) {
        measure(device, settings, TcpControlLink.over(connection), traffic);
      }
    }
  }

  private void measureOverCm() throws IOException {
    try (UdpDevice device = options.side.openDevice(spec.commandLine())) {
      RdmaCm host = device.emulator().rdmaCm(device.device());
      PerftestSettings settings = settings();
      try (CmSession session = new CmSession(host, settings, cmAddress(device))) {
        TestTraffic traffic = traffic(host.getDevices().get(0), settings, session);
        sayThatServerWaits();
        measure(device, settings, session.meet(), traffic);
        session.end();
      }
    }
  }

  /** The address of the server: that of the own device, or where the client connects to. */
  private InetSocketAddress cmAddress(UdpDevice device) {
    int port = options.side.tcpPort();
    InetAddress address =
        options.side.isServer()
            ? device.device().open().queryGid(1, 0).toAddress()
            : TcpConnection.resolve(options.side.server(), port)[0];
    return new InetSocketAddress(address, port);
  }

  private PerftestSettings settings() {
    PerftestSettings settings = new PerftestSettings(benchmark, options, options.side.isServer());
    if (settings.inlineSize() < options.inlineSize) {
      err().println("Setting inline size to " + settings.inlineSize() + " (Max inline size in UD)");
    }
    if (options.postList > 1 && options.cqModeration == null && !options.asJson) {
      out().println("Post List requested - CQ moderation will be the size of the post list");
    }
    return settings;
  }

  private void sayThatServerWaits() {
    if (options.side.isServer() && !options.asJson) {
      out().println();
      out().println(STARS);
      out().println("* Waiting for client to connect... *");
      out().println(STARS);
    }
  }

  private void measure(
      UdpDevice device, PerftestSettings settings, ControlLink link, TestTraffic traffic)
      throws IOException {
    ControlChannel channel = ControlChannel.over(link, settings.isServer());
    ReportCollector reportCollector = new ReportCollector(report(device, settings));
    new TestSequence(channel, settings, traffic, reportCollector).follow();
    new ReportFiles(settings, reportCollector).write(out());
  }

  private TcpConnection connect(ServerSocket listening) {
    if (listening != null) {
      return TcpConnection.acceptOnly(listening);
    }
    String server = options.side.server();
    return TcpConnection.to(server, options.side.tcpPort(), TcpConnection.CONNECT_TIMEOUT);
  }

  /** What the device cannot do is said before there is a peer that would be left alone. */
  private TestTraffic traffic(Context context, PerftestSettings settings, CmSession session) {
    ProgressLine progress = new ProgressLine(err(), settings);
    TestTraffic traffic = new VerbsTraffic(context, settings, progress, session);
    settings.requireSizesFor(traffic.mtu());
    return traffic;
  }

  private Report report(UdpDevice device, PerftestSettings settings) {
    return options.asJson
        ? new NoReport()
        : new TableReport(out(), settings, device.device().name());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}

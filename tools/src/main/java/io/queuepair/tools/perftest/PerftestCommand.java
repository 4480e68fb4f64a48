package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.Limits;
import io.queuepair.tools.cli.QpTypeConverter;
import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpType;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.concurrent.Callable;
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
   * Adds all commands of the family.
   *
   * @param parent whose subcommands they become
   */
  public static void addAllTo(CommandLine parent) {
    for (Benchmark benchmark : Benchmark.values()) {
      CommandLine command = new CommandLine(new PerftestCommand(benchmark));
      command.registerConverter(
          QpType.class,
          new QpTypeConverter(
              "is not one that " + benchmark.commandName() + " has:",
              benchmark.operation().services()));
      new HelpText(benchmark).describe(command.getCommandSpec());
      UnofferedOptions.addTo(command);
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
    Limits limits = new Limits(spec.commandLine());
    options.readAckTimeout(limits);
    new OptionRules(limits, benchmark, options).check();
    Documents.probe(spec.commandLine(), options);
    // Before anything is printed, so that a client started at the first line finds the port open.
    try (ServerSocket listening = options.side.listen(1);
        UdpDevice device = options.side.openDevice(spec.commandLine())) {
      Settings settings = new Settings(benchmark, options, options.side.isServer());
      Traffic traffic = traffic(device, settings);
      if (listening != null && !options.asJson) {
        out().println();
        out().println(STARS);
        out().println("* Waiting for client to connect... *");
        out().println(STARS);
      }
      // No object is closed by itself: the last acknowledgement may not have left yet, and it does
      // before the device goes.
      try (TcpConnection connection = connect(listening)) {
        Conversation conversation = Conversation.over(connection, settings.isServer());
        Records records = new Records(report(device, settings));
        new Procedure(conversation, settings, traffic, records).follow();
        new Documents(settings, records).write(out());
      }
    }
    return 0;
  }

  private TcpConnection connect(ServerSocket listening) {
    if (listening != null) {
      return TcpConnection.acceptOnly(listening);
    }
    String server = options.side.server();
    return TcpConnection.to(server, options.side.tcpPort(), TcpConnection.CONNECT_TIMEOUT);
  }

  /** What the device cannot do is said before there is a peer that would be left alone. */
  private Traffic traffic(UdpDevice device, Settings settings) {
    Context context = device.device().open();
    Traffic traffic = new VerbsTraffic(context, settings, new ProgressLine(err(), settings));
    settings.requireSizesFor(traffic.mtu());
    return traffic;
  }

  private Report report(UdpDevice device, Settings settings) {
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

package io.queuepair.tools;

import io.queuepair.tools.bench.BenchCommand;
import io.queuepair.tools.cli.Execution;
import io.queuepair.tools.cli.FailureLine;
import io.queuepair.tools.cli.NumberConverter;
import io.queuepair.tools.cli.PathConverter;
import io.queuepair.tools.cli.StandardOutput;
import io.queuepair.tools.decode.DecodeCommand;
import io.queuepair.tools.demo.DemoCommand;
import io.queuepair.tools.devinfo.DevinfoCommand;
import io.queuepair.tools.fuzz.FuzzCommand;
import io.queuepair.tools.perftest.PerftestCommand;
import io.queuepair.tools.pingpong.RcPingpongCommand;
import io.queuepair.tools.pingpong.SrqPingpongCommand;
import io.queuepair.tools.pingpong.UcPingpongCommand;
import io.queuepair.tools.pingpong.UdPingpongCommand;
import io.queuepair.tools.pingpong.XsrqPingpongCommand;
import io.queuepair.tools.replay.ReplayCommand;
import io.queuepair.tools.scenario.ScenarioCommand;
import io.queuepair.tools.simulate.SimulateCommand;
import io.queuepair.tools.states.CheckTransitionsCommand;
import io.queuepair.tools.states.TransitionsCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The queuepair command. */
@Command(
    name = "queuepair",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    version = {
      "queuepair 0.1.0-SNAPSHOT",
      "Java ${java.version} on ${os.name} ${os.arch}",
      "devinfo and the ping-pongs follow the ibv_ programs of rdma-core 44,",
      "write-bw and its family the ib_ programs of perftest 4.5"
    },
    description = {
      "",
      "An RDMA device in software: queue pairs, completion queues, memory keys and"
          + " real RoCEv2 packets, without a NIC, a kernel module or root. Devices talk"
          + " inside the process, in virtual time, or over UDP port 4791, also with Linux"
          + " Soft-RoCE.",
      ""
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Start with 'queuepair demo'. 'queuepair COMMAND --help' explains a command, with examples."
    },
    subcommands = {
      DemoCommand.class,
      DevinfoCommand.class,
      RcPingpongCommand.class,
      UcPingpongCommand.class,
      UdPingpongCommand.class,
      SrqPingpongCommand.class,
      XsrqPingpongCommand.class,
      DecodeCommand.class,
      TransitionsCommand.class,
      CheckTransitionsCommand.class,
      ReplayCommand.class,
      ScenarioCommand.class,
      SimulateCommand.class,
      FuzzCommand.class,
      BenchCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  /**
   * Runs the command and exits with its code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    // System.out would not say that it cannot be written.
    System.exit(run(new FileOutputStream(FileDescriptor.out), err, args));
  }

  /** Runs the command; what it prints and loses is a failure too. */
  static int run(OutputStream stream, PrintWriter err, String... args) {
    StandardOutput standardOutput = new StandardOutput(stream);
    PrintWriter out = new PrintWriter(standardOutput, true, StandardCharsets.UTF_8);
    int exitCode = run(out, err, args);
    out.flush();
    return standardOutput.report(err, exitCode);
  }

  /**
   * Runs the command.
   *
   * @param out standard output
   * @param err standard error
   * @param args the command line
   * @return the exit code: 0 done, 1 failed, 2 not understood
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine command = commandLine();
    // A word with @ is the file of a fault plan.
    command.setExpandAtFiles(false);
    command.registerConverter(int.class, new NumberConverter());
    command.registerConverter(Path.class, new PathConverter());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionStrategy(new Execution());
    command.setOut(out);
    command.setErr(err);
    command.setParameterExceptionHandler(FailureLine::ofWrongArguments);
    command.setExecutionExceptionHandler(FailureLine::ofFailure);
    return command.execute(args);
  }

  /** The command with all its subcommands. */
  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Main());
    PerftestCommand.addAllTo(command);
    return command;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}

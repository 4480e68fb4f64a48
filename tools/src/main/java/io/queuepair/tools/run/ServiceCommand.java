// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.nativeverbs.NativeException;
import io.queuepair.nativeverbs.ProgramEnvironment;
import io.queuepair.nativeverbs.ServiceProcess;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.tools.cli.ProfileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs an emulated device for all programs of a user. */
@Command(
    name = "service",
    description = {
      "Keeps an emulated device of this host, in a process of its own: unmodified programs attach"
          + " to it, in any number, and talk through its memory. One of these runs for each user.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair service start",
      "  eval \"$(queuepair service env)\"",
      "  ibv_rc_pingpong -g 0 & ibv_rc_pingpong -g 0 localhost",
      "  queuepair service faults 'drop 1%%'",
      "  queuepair service stop"
    })
public final class ServiceCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "There is no command of the service");
  }

  @Command(name = "start", description = "Starts the service, which runs until it is stopped.")
  void start(
      @Option(
              names = "--address",
              paramLabel = "ADDRESS[,ADDRESS]",
              converter = AddressesConverter.class,
              description =
                  "Addresses of the device: its GID table; again, those of another. By default one"
                      + " device has those of the host.")
          List<String> addresses,
      @Option(
              names = "--profile",
              paramLabel = "NAME",
              converter = ProfileName.ProfileNameConverter.class,
              defaultValue = "default",
              description =
                  "Device to emulate: default (what the specification says) or soft-roce.")
          ProfileName profile,
      @Option(
              names = "--pcap",
              paramLabel = "FILE",
              description = "Write every packet to this file, for Wireshark (pcapng).")
          Path capture,
      @Option(
              names = "--trace",
              paramLabel = "FILE",
              description = "Write one line for each packet to this file.")
          Path trace,
      @Option(
              names = "--memlock",
              paramLabel = "KIB",
              converter = KibConverter.class,
              description = "KiB of memory that each program may register; more is ENOMEM.")
          Long memlock,
      @Option(
              names = "--explain",
              description =
                  "Say on the standard error of programs why verbs are refused and work failed.")
          boolean explains,
      @Mixin FaultsOption faults) {
    List<String> wanted = addresses == null ? new ArrayList<>() : addresses;
    ProgramEnvironment environment =
        new ProgramEnvironment(
            wanted,
            profile.toString(),
            faults.plan(),
            capture,
            trace == null ? null : trace.toAbsolutePath().toString(),
            memlock,
            explains,
            false);
    attempt(() -> ServiceProcess.startKept(environment));
  }

  @Command(
      name = "status",
      description = "Shows the device, what it was started with, its log, and the programs.")
  void status() {
    attempt(() -> print(ServiceProcess.ask("status")));
  }

  @Command(
      name = "report",
      description = "Shows what everything waits for: what is posted, not completed, and why.")
  void report(
      @Parameters(
              paramLabel = "PID",
              arity = "0..1",
              description = "Only what this program waits for.")
          Long process) {
    attempt(() -> print(ServiceProcess.ask(process == null ? "report" : "report " + process)));
  }

  @Command(
      name = "faults",
      description = "Shows what goes wrong, or lets other things go wrong from now on.")
  void faults(
      @Parameters(
              paramLabel = "PLAN",
              arity = "0..1",
              converter = FaultsOption.FaultPlanConverter.class,
              description =
                  "Statements with semicolons between them, as of --faults; with '' nothing.")
          FaultPlan plan) {
    attempt(() -> print(ServiceProcess.ask(plan == null ? "faults" : "faults " + plan)));
  }

  @Command(name = "stop", description = "Ends the service; its programs lose the device.")
  void stop() {
    attempt(ServiceProcess::stop);
  }

  @Command(
      name = "env",
      description = "Prints the environment variables with which programs attach, for a shell.")
  void env() {
    attempt(
        () ->
            ServiceProcess.keptVariables()
                .forEach((name, value) -> print(assignment(name, value))));
  }

  private void print(String text) {
    if (!text.isEmpty()) {
      spec.commandLine().getOut().println(text);
    }
  }

  /** Shell command that sets and exports a variable. */
  private static String assignment(String name, String value) {
    return "export " + name + "='" + value.replace("'", "'\\''") + "'";
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (NativeException impossible) {
      throw new CommandFailure(impossible.getMessage(), impossible);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import io.queuepair.nativeverbs.NativeException;
import io.queuepair.nativeverbs.NativeLauncher;
import io.queuepair.nativeverbs.ProgramEnvironment;
import io.queuepair.nativeverbs.ServiceProcess;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.ProfileOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program that uses libibverbs with an emulated device. */
@Command(
    name = "run",
    description = {
      "Runs an unmodified program of libibverbs or librdmacm on an emulated device: without a NIC,"
          + " a kernel module or root. The device is in a process of its own, to which the program"
          + " and all that it starts attach: they share it. It ends soon after they have."
          + " Beside a service that lives, that one's device is used, unless an option asks for"
          + " another.",
      "Needs Linux with glibc; in a checkout, a C compiler once (docs/native.md).",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair run -- ibv_devinfo -v",
      "  queuepair run --address 127.0.0.2 -- ibv_rc_pingpong -g 0",
      "  queuepair run --address 127.0.0.3 --faults 'drop 3rd ACK' --pcap out.pcapng \\",
      "      -- ibv_rc_pingpong -g 0 127.0.0.1",
      "  queuepair run -- bash         a shell in which every program has the device"
    })
public final class RunCommand implements Runnable {
  private CommandSpec spec;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS[,ADDRESS]",
      converter = AddressesConverter.class,
      description =
          "Put the device on addresses of this host, which become its GID table, and open its UDP"
              + " port at once. Again, this makes another device; a program in whose environment"
              + " QUEUEPAIR_ADDRESS is an address sees the device of it only. By default all"
              + " addresses of the host lead to one device.")
  private List<String> addresses = new ArrayList<>();

  @Mixin private ProfileOption profileOption;

  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description =
          "Write every packet to this file, for Wireshark or queuepair decode (pcapng). {pid} in"
              + " its name stands for the number of the service's process.")
  private Path capture;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = "-",
      description =
          "Write a line for each packet of all programs to their standard error, or to this file.")
  private Path trace;

  @Option(
      names = "--memlock",
      paramLabel = "KIB",
      converter = KibConverter.class,
      description =
          "KiB of memory that each program may register, as ulimit -l sets it for a user; more is"
              + " ENOMEM. By default there is no limit.")
  private Long memlock;

  @Option(
      names = "--explain",
      description =
          "Say on the standard error of a program why a verb is refused and why its work failed,"
              + " and of all what the device refuses, drops or has no room for: what no hardware"
              + " does.")
  private boolean explains;

  @Option(
      names = "--coverage",
      description =
          "Print on standard error, when the program exits, which states, transitions, opcodes, NAK"
              + " codes, statuses, events, checks and drop reasons the device has covered, and"
              + " which not (docs/coverage.md). A program that a signal ends, or _exit, prints"
              + " nothing.")
  private boolean showsCoverage;

  @Mixin private FaultsOption faults;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The program and its arguments; -- before it keeps its options its own.")
  private List<String> command = new ArrayList<>();

  /** Treats all words after the program as its arguments. */
  @Spec
  void parseAs(CommandSpec own) {
    spec = own;
    own.parser().stopAtPositional(true);
  }

  @Override
  public void run() {
    if (command.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "There is no program to run");
    }
    refuseMissingProgram();
    ProgramEnvironment environment =
        new ProgramEnvironment(
            addresses,
            profileOption.name().toString(),
            faults.plan(),
            capture,
            trace == null ? null : trace.toString(),
            memlock,
            explains,
            showsCoverage);
    try {
      OptionalLong script = StartScript.process();
      if (script.isPresent()) {
        StartScript.print("words=" + command.size());
        ServiceProcess.attachOrServe(environment, script.getAsLong(), StartScript::print);
      } else {
        NativeLauncher.exec(ServiceProcess.attachedOrNew(environment), command);
      }
    } catch (NativeException impossible) {
      throw new CommandFailure(impossible.getMessage(), impossible);
    }
  }

  /** Refuses a program that does not exist; a name without a slash is searched on the PATH. */
  private void refuseMissingProgram() {
    if (command.get(0).contains("/")) {
      Path program = Path.of(command.get(0));
      if (!Files.exists(program)) {
        IOException missing = new NoSuchFileException(program.toString());
        throw InputFile.refusal(spec.commandLine(), program, missing);
      }
    }
  }
}

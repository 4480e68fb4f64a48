// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools;

import io.queuepair.tools.cli.CommandProvider;
import io.queuepair.tools.cli.CommandRunner;
import io.queuepair.tools.cli.ErrorReporter;
import io.queuepair.tools.cli.PathConverter;
import io.queuepair.tools.cli.StandardOutput;
import io.queuepair.tools.decode.DecodeCommand;
import io.queuepair.tools.demo.DemoCommand;
import io.queuepair.tools.devinfo.DevinfoCommand;
import io.queuepair.tools.grade.GradeCommand;
import io.queuepair.tools.pingpong.PingpongCommand;
import io.queuepair.tools.rdmacm.RpingCommand;
import io.queuepair.tools.run.RunCommand;
import io.queuepair.tools.run.ServiceCommand;
import io.queuepair.tools.run.StartScript;
import io.queuepair.tools.scenario.ScenarioCommand;
import io.queuepair.tools.serve.ServeCommand;
import io.queuepair.tools.site.SiteCommand;
import io.queuepair.tools.transitions.TransitionsCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.spi.ToolProvider;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code queuepair} command; other modules add commands through {@link CommandProvider}. */
@Command(
    name = "queuepair",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    version = {
      "queuepair 0.1.0-SNAPSHOT",
      "Java ${java.version} on ${os.name} ${os.arch}",
      "devinfo, pingpong and rping follow rdma-core 44"
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
    })
public final class Main implements Runnable, ToolProvider {
  /** Headings of the help with their commands; commands of other modules come after them. */
  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("See and learn:", List.of("demo", "scenario", "grade", "site", "serve"));
    GROUPS.put("Run programs:", List.of("run", "service", "devinfo", "pingpong", "rping"));
    GROUPS.put("Look up and look into:", List.of("decode", "transitions"));
  }

  /** Commands, in the order of the help. */
  private static final List<Class<?>> SUBCOMMANDS =
      List.of(
          DemoCommand.class,
          DevinfoCommand.class,
          PingpongCommand.class,
          RpingCommand.class,
          RunCommand.class,
          ServiceCommand.class,
          DecodeCommand.class,
          TransitionsCommand.class,
          ScenarioCommand.class,
          GradeCommand.class,
          SiteCommand.class,
          ServeCommand.class);

  @Spec private CommandSpec spec;

  @Override
  public String name() {
    return "queuepair";
  }

  public static void main(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    // System.out hides errors of writing.
    int exitCode = run(new FileOutputStream(FileDescriptor.out), err, args);
    StartScript.exit(exitCode);
    System.exit(exitCode);
  }

  /** Runs the command; output that cannot be written is a failure too. */
  static int run(OutputStream stream, PrintWriter err, String... args) {
    StandardOutput standardOutput = new StandardOutput(stream);
    PrintWriter out = new PrintWriter(standardOutput, true, StandardCharsets.UTF_8);
    int exitCode = new Main().run(out, err, args);
    out.flush();
    return standardOutput.report(err, exitCode);
  }

  /** Runs the command and returns the exit code: 0 success, 1 failure, 2 invalid arguments. */
  @Override
  public int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine command = commandLineFor(args);
    // A word that begins with @ names the file of a fault plan.
    command.setExpandAtFiles(false);
    // One reference: JDK 17 cannot archive two of one method for an interface of picocli.
    ITypeConverter<Integer> number = Main::number;
    command.registerConverter(int.class, number);
    command.registerConverter(Integer.class, number);
    command.registerConverter(long.class, Main::longNumber);
    command.registerConverter(double.class, Main::decimalNumber);
    command.registerConverter(Path.class, new PathConverter());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionStrategy(new CommandRunner());
    command.setOut(out);
    command.setErr(err);
    command.setParameterExceptionHandler(ErrorReporter::ofWrongArguments);
    command.setExecutionExceptionHandler(ErrorReporter::ofFailure);
    return command.execute(args);
  }

  /** Parses a number as C does: decimal, {@code 0x} hexadecimal, {@code 0} octal. */
  private static Integer number(String text) {
    try {
      return Integer.decode(text);
    } catch (NumberFormatException malformed) {
      throw new TypeConversionException("'" + text + "' is not a number up to 2147483647");
    }
  }

  private static Long longNumber(String text) {
    try {
      return Long.decode(text);
    } catch (NumberFormatException malformed) {
      throw new TypeConversionException("'" + text + "' is not a number of 64 bits");
    }
  }

  private static Double decimalNumber(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException malformed) {
      throw new TypeConversionException("'" + text + "' is not a number");
    }
  }

  public static CommandLine commandLine() {
    return commandLine(name -> true);
  }

  /** Creates the command with the named subcommand, or with all for help and suggestions. */
  private static CommandLine commandLineFor(String... args) {
    if (args.length > 0) {
      // Creating all subcommands takes longer than most commands run.
      CommandLine command = commandLine(args[0]::equals);
      if (!command.getSubcommands().isEmpty()) {
        return command;
      }
    }
    return commandLine();
  }

  private static CommandLine commandLine(Predicate<String> wanted) {
    CommandLine command = new CommandLine(new Main());
    addTo(command, SUBCOMMANDS, wanted);
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Main::inGroups);
    for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
      addTo(command, provider.commands(), wanted);
    }
    command.getCommandSpec().usageMessage().commandListHeading("");
    return command;
  }

  /** Lists the commands below their headings, each with the first sentence of its description. */
  private static String inGroups(Help help) {
    Map<String, String> rest = new LinkedHashMap<>();
    help.subcommands()
        .forEach(
            (name, command) -> {
              String all = String.join(" ", command.commandSpec().usageMessage().description());
              rest.put("  " + name, all.strip().split("(?<=[.:]) ", 2)[0].replaceFirst(":$", "."));
            });
    StringBuilder list = new StringBuilder();
    GROUPS.forEach(
        (heading, names) -> {
          Map<String, String> group = new LinkedHashMap<>();
          names.forEach(name -> group.put("  " + name, rest.remove("  " + name)));
          group.values().removeIf(Objects::isNull);
          append(list, heading, help, group);
        });
    append(list, "Of a checkout:", help, rest);
    return list.toString();
  }

  private static void append(
      StringBuilder list, String heading, Help help, Map<String, String> commands) {
    if (!commands.isEmpty()) {
      String table = help.createTextTable(commands).toString();
      list.append(System.lineSeparator()).append(heading).append(System.lineSeparator());
      list.append(table);
    }
  }

  private static void addTo(CommandLine command, List<Class<?>> types, Predicate<String> wanted) {
    for (Class<?> type : types) {
      if (wanted.test(type.getAnnotation(Command.class).name())) {
        command.addSubcommand(new CommandLine(type));
      }
    }
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the help of a command says beside its options. */
record HelpText(Benchmark benchmark) {
  void describe(CommandSpec spec) {
    spec.usageMessage().description(description(), "Without SERVER it waits for a client.", "");
    spec.usageMessage().footer(examples());
    withoutEffect().forEach(name -> hide(spec, name));
  }

  /** What the family has, but this command refuses or has no use for. */
  private List<String> withoutEffect() {
    List<String> names = new ArrayList<>();
    if (benchmark.metric() == Metric.LATENCY) {
      names.addAll(List.of("-b", "-q", "-t", "-Q", "-l"));
    }
    switch (benchmark.operation()) {
      case WRITE -> names.addAll(List.of("-r", "-o", "-A", "-e", "--use-srq"));
      case READ -> names.addAll(List.of("-r", "-A", "-I", "--use-srq"));
      case SEND -> names.addAll(List.of("-o", "-A"));
      case ATOMIC -> names.addAll(List.of("-r", "-a", "-I", "--use-srq"));
    }
    return names;
  }

  private static void hide(CommandSpec spec, String name) {
    OptionSpec option = spec.findOption(name);
    spec.remove(option);
    spec.addOption(OptionSpec.builder(option).hidden(true).build());
  }

  private String description() {
    String what =
        switch (benchmark.metric()) {
          case BANDWIDTH -> "how fast " + messages() + " go through";
          case LATENCY -> "how long " + messages() + " take, one at a time";
        };
    return "Measures "
        + what
        + ": the other side of "
        + benchmark.program()
        + " (perftest 4.5), with its options, table and exchange of messages.";
  }

  private String messages() {
    return switch (benchmark.operation()) {
      case WRITE -> "RDMA WRITEs";
      case READ -> "RDMA READs";
      case SEND -> "SENDs";
      case ATOMIC -> "atomics";
    };
  }

  private String[] examples() {
    String name = "  queuepair " + benchmark.commandName();
    List<String> lines =
        new ArrayList<>(
            List.of(
                name + " --bind 127.0.0.2",
                "      a server",
                name + " --bind 127.0.0.3 127.0.0.2",
                "      its client, in another shell",
                name + " -n 1000",
                "      a server on this host, whose client on Linux (-x: its IPv4 GID) is",
                "  " + benchmark.program() + " -x 1 -n 1000 HOST",
                name + " -R --bind ADDRESS",
                "      a server that is reached through the connection manager, whose client is",
                "  " + benchmark.program() + " -R ADDRESS"));
    if (benchmark.operation() != PerftestOperation.ATOMIC) {
      lines.add(name + " -a -F --plot sizes.svg SERVER");
      lines.add("      all sizes, drawn; the server needs -a, too");
    }
    return lines.toArray(String[]::new);
  }
}

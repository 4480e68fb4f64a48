// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that measures itself: of a library that people would use instead, or of perftest. */
enum ExternalTool {
  /** UCX, configured to use TCP over the loopback interface. */
  UCX("ucx_perftest", "ucx-utils") {
    @Override
    List<String> command(ToolRun run) {
      List<String> command = new ArrayList<>(List.of("env", "UCX_TLS=tcp", "UCX_NET_DEVICES=lo"));
      command.add(program());
      if (run.isClient()) {
        command.add(run.server());
        command.addAll(run.test());
        command.addAll(List.of("-n", "" + run.iterations(), "-f"));
      }
      command.addAll(List.of("-p", "" + run.tcpPort()));
      return command;
    }
  },

  /** The providers of libfabric. */
  LIBFABRIC("fi_pingpong", "libfabric-bin") {
    @Override
    List<String> command(ToolRun run) {
      List<String> command = new ArrayList<>(List.of(program()));
      command.addAll(run.test());
      command.addAll(List.of("-I", "" + run.iterations()));
      command.addAll(List.of(run.isClient() ? "-P" : "-B", "" + run.tcpPort()));
      if (run.isClient()) {
        command.add(run.server());
      }
      return command;
    }
  },

  /** The programs of perftest on the emulator, which they reach through the native library. */
  PERFTEST("ib_write_bw", "perftest") {
    @Override
    List<String> command(ToolRun run) {
      List<String> command = new ArrayList<>(run.queuepair());
      command.addAll(List.of("run", "--"));
      command.addAll(run.test());
      command.addAll(List.of("-F", "-x", "0"));
      command.addAll(List.of("-n", "" + run.iterations(), "-p", "" + run.tcpPort()));
      if (run.isClient()) {
        command.add(run.server());
      }
      return command;
    }
  },

  /** The programs of perftest on Linux Soft-RoCE, in a guest that the tests of a checkout boot. */
  SOFTROCE("qemu-system-x86_64", "qemu-system-x86 iproute2 cpio kmod") {
    @Override
    boolean hasServer() {
      return false;
    }

    @Override
    int secondsAtMost() {
      return 1800; // It builds the guest if there is none yet.
    }

    @Override
    List<String> command(ToolRun run) {
      List<String> command = new ArrayList<>(List.of(script().orElseThrow().toString()));
      command.addAll(run.test());
      command.addAll(List.of("-F", "-n", "" + run.iterations()));
      return command;
    }

    @Override
    Optional<String> absence() {
      return script().isPresent()
          ? super.absence()
          : Optional.of(
              "Soft-RoCE needs a checkout of the sources, and its bin/queuepair: it boots the"
                  + " guest of tests/interop");
    }

    private static Optional<Path> script() {
      return Optional.ofNullable(System.getProperty(CHECKOUT))
          .map(checkout -> Path.of(checkout, "tests", "interop", "softroce-perftest"))
          .filter(Files::isExecutable);
    }
  };

  /** The system property with the directory of the sources, which {@code bin/queuepair} sets. */
  static final String CHECKOUT = "queuepair.checkout";

  private final String program;
  private final String debianPackages;

  ExternalTool(String program, String debianPackages) {
    this.program = program;
    this.debianPackages = debianPackages;
  }

  /**
   * One side of a measurement.
   *
   * @param test the program, if there are several, and the options that say what is measured
   * @param iterations how often it does that
   * @param tcpPort where the server waits for the client
   * @param server the host to connect to; null for the server itself
   * @param queuepair how this program is started
   */
  record ToolRun(
      List<String> test, int iterations, int tcpPort, String server, List<String> queuepair) {
    boolean isClient() {
      return server != null;
    }

    /** The other side. */
    ToolRun clientOf(String host) {
      return new ToolRun(test, iterations, tcpPort, host, queuepair);
    }
  }

  String program() {
    return program;
  }

  /** Whether there are two processes, or one that does all. */
  boolean hasServer() {
    return true;
  }

  /** How long a process may take. */
  int secondsAtMost() {
    return 120;
  }

  /** What is missing, and what to do about it; empty if it can be run. */
  Optional<String> absence() {
    String path = System.getenv().getOrDefault("PATH", "");
    boolean isInstalled =
        Stream.of(path.split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    return isInstalled ? Optional.empty() : Optional.of(advice());
  }

  /** What to do if its program is not installed. */
  String advice() {
    return program + " is not installed (Debian and Ubuntu: apt install " + debianPackages + ")";
  }

  /** How one side is started. */
  abstract List<String> command(ToolRun run);
}

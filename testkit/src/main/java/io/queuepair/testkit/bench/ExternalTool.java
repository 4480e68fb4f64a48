// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A library that people would use instead, with the program by which it measures itself. */
enum ExternalTool {
  /** UCX, configured to use TCP over the loopback interface. */
  UCX("ucx_perftest", "ucx-utils") {
    @Override
    List<String> command(List<String> test, int iterations, int tcpPort, String server) {
      List<String> command = new ArrayList<>(List.of("env", "UCX_TLS=tcp", "UCX_NET_DEVICES=lo"));
      command.add(program());
      if (server != null) {
        command.add(server);
        command.addAll(test);
        command.addAll(List.of("-n", "" + iterations, "-f"));
      }
      command.addAll(List.of("-p", "" + tcpPort));
      return command;
    }
  },

  /** The providers of libfabric. */
  LIBFABRIC("fi_pingpong", "libfabric-bin") {
    @Override
    List<String> command(List<String> test, int iterations, int tcpPort, String server) {
      List<String> command = new ArrayList<>(List.of(program()));
      command.addAll(test);
      command.addAll(List.of("-I", "" + iterations));
      command.addAll(List.of(server == null ? "-B" : "-P", "" + tcpPort));
      if (server != null) {
        command.add(server);
      }
      return command;
    }
  };

  private final String program;
  private final String debianPackage;

  ExternalTool(String program, String debianPackage) {
    this.program = program;
    this.debianPackage = debianPackage;
  }

  String program() {
    return program;
  }

  boolean isInstalled() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** What to do if it is not. */
  String absence() {
    return program + " is not installed (Debian and Ubuntu: apt install " + debianPackage + ")";
  }

  /**
   * How one side is started.
   *
   * @param test the options that say what is measured
   * @param tcpPort where the server waits for the client
   * @param server the host to connect to; null for the server itself
   */
  abstract List<String> command(List<String> test, int iterations, int tcpPort, String server);
}

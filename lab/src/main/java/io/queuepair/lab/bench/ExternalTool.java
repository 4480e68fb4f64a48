// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Programs with their own measurement: alternatives to RDMA, and perftest on the emulator. */
enum ExternalTool {
  /** UCX, configured to use TCP over the loopback interface. */
  UCX(
      "ucx_perftest",
      "ucx-utils",
      "env UCX_TLS=tcp UCX_NET_DEVICES=lo ucx_perftest -p PORT",
      "env UCX_TLS=tcp UCX_NET_DEVICES=lo ucx_perftest 127.0.0.1 TEST -n COUNT -f -p PORT"),
  /** libfabric with the provider that the benchmark names. */
  LIBFABRIC(
      "fi_pingpong",
      "libfabric-bin",
      "fi_pingpong TEST -I COUNT -B PORT",
      "fi_pingpong TEST -I COUNT -P PORT 127.0.0.1"),
  /** Programs of perftest on the emulator, each on a device of its own, over UDP. */
  PERFTEST(
      "ib_write_bw",
      "perftest",
      "QUEUEPAIR run --address 127.0.0.2 -- TEST -F -x 0 -n COUNT -p PORT",
      "QUEUEPAIR run --address 127.0.0.3 -- TEST -F -x 0 -n COUNT -p PORT 127.0.0.1");

  private final String program;
  private final String debianPackage;
  private final String server;
  private final String client;

  ExternalTool(String program, String debianPackage, String server, String client) {
    this.program = program;
    this.debianPackage = debianPackage;
    this.server = server;
    this.client = client;
  }

  boolean isInstalled() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** Names the Debian package of a program that is not installed. */
  String advice() {
    return program + " is not installed (Debian and Ubuntu: apt install " + debianPackage + ")";
  }

  /** Command line of one side, the server or the client. */
  List<String> command(
      boolean isServer, ExternalBenchmark benchmark, int port, List<String> queuepair) {
    List<String> command = new ArrayList<>();
    for (String word : (isServer ? server : client).split(" ", -1)) {
      switch (word) {
        case "QUEUEPAIR" -> command.addAll(queuepair);
        case "TEST" -> command.addAll(List.of(benchmark.test().split(" ", -1)));
        case "COUNT" -> command.add("" + benchmark.iterations());
        case "PORT" -> command.add("" + port);
        default -> command.add(word);
      }
    }
    return command;
  }
}

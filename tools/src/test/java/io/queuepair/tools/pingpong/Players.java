// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The two sides of a ping-pong on this host.
 *
 * @param type what carries the messages
 * @param port the TCP port where they meet
 */
record Players(String type, int port) {
  static Players of(String type) {
    return new Players(type, LoopbackNetwork.freePort());
  }

  /** A server whose port is open, as its first line says. */
  RunningCommand server(String... options) throws InterruptedException {
    return startServer(options).awaitOutput("local address:");
  }

  /** A server whose port may not be open yet. */
  RunningCommand startServer(String... options) {
    return RunningCommand.start(at(LoopbackNetwork.SERVER, options));
  }

  CommandRun client(String... options) {
    return clientAt(LoopbackNetwork.CLIENT, options);
  }

  CommandRun clientAt(String address, String... options) {
    String[] client = at(address, options);
    client = Arrays.copyOf(client, client.length + 1);
    client[client.length - 1] = LoopbackNetwork.SERVER;
    return CommandRun.of(client);
  }

  private String[] at(String address, String... options) {
    return Stream.concat(Stream.of(arguments("--bind", address)), Stream.of(options))
        .toArray(String[]::new);
  }

  String[] arguments(String... args) {
    String[] command = {"pingpong", "--type", type, "-p", "" + port};
    return Stream.concat(Stream.of(command), Stream.of(args)).toArray(String[]::new);
  }
}

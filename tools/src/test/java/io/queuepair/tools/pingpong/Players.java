// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
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
    return RunningCommand.start(arguments(join("--bind", LoopbackNetwork.SERVER, options)));
  }

  CommandRun client(String... options) {
    return clientAt(LoopbackNetwork.CLIENT, options);
  }

  CommandRun clientAt(String address, String... options) {
    return clientOf(LoopbackNetwork.SERVER, address, options);
  }

  /** A client that looks for the server at an address over TCP. */
  CommandRun clientOf(String server, String address, String... options) {
    String[] own = join("--bind", address, options);
    return CommandRun.of(
        arguments(Stream.concat(Stream.of(own), Stream.of(server)).toArray(String[]::new)));
  }

  String[] arguments(String... args) {
    return join(
        "pingpong", "--type", Stream.concat(Stream.of(type, "-p", "" + port), Stream.of(args)));
  }

  private static String[] join(String first, String second, String... rest) {
    return join(first, second, Stream.of(rest));
  }

  private static String[] join(String first, String second, Stream<String> rest) {
    return Stream.concat(Stream.of(first, second), rest).toArray(String[]::new);
  }
}

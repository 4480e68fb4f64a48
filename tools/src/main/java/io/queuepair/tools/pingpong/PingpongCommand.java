// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.UdpDevice;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all ping-pongs do: open the port of the server and the device, then play. */
abstract class PingpongCommand implements Callable<Integer> {
  static final int FAILED = 1;

  @Spec private CommandSpec spec;
  @Mixin private PingpongOptions options = new PingpongOptions();

  /**
   * Plays.
   *
   * @return the exit code
   * @throws IOException if the port of the server cannot be closed
   */
  @Override
  public final Integer call() throws IOException {
    options.check(spec.commandLine());
    checkOptions(spec.commandLine());
    // Before anything is printed, so that a client started at the first line finds the port open.
    try (ServerSocket listening = options.side.listen(clients());
        UdpDevice device = options.side.openDevice(spec.commandLine())) {
      // No object is closed by itself: the last acknowledgement may not have left yet, and it does
      // before the device goes.
      return play(device, listening);
    }
  }

  /** Refuses values out of range of the options that this kind has. */
  abstract void checkOptions(CommandLine command);

  /** How many clients the server waits for. */
  int clients() {
    return 1;
  }

  /**
   * Plays.
   *
   * @param listening the open port of a server, null for a client
   * @return the exit code
   */
  abstract int play(UdpDevice device, ServerSocket listening);

  final boolean isServer() {
    return options.side.isServer();
  }

  final PingpongOptions options() {
    return options;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}

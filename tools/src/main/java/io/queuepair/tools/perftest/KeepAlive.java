// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import jdk.net.ExtendedSocketOptions;

/**
 * Finds out that the host of a silent peer has vanished, such as one that lost its power: the
 * system asks it after a minute, and after a second minute without an answer ends the connection.
 */
final class KeepAlive {
  private static final int IDLE_SECONDS = 60;
  private static final int INTERVAL_SECONDS = 10;
  private static final int QUESTIONS = 6;

  private KeepAlive() {}

  static void on(Socket socket) {
    try {
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
      set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
      set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, QUESTIONS);
    } catch (IOException e) {
      throw new CommandFailure("Couldn't watch the connection: " + e.getMessage(), e);
    }
  }

  /** Not every system lets a program choose the times. */
  private static void set(Socket socket, SocketOption<Integer> option, int value)
      throws IOException {
    if (socket.supportedOptions().contains(option)) {
      socket.setOption(option, value);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.baseline;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** One TCP connection of the JDK after the other: connected, accepted, closed at both ends. */
public final class TcpConnections {
  private TcpConnections() {}

  /**
   * How fast connections follow each other over the loopback interface, with one thread.
   *
   * @param nanos how long
   * @return connections in a second
   * @throws IOException if the sockets cannot be used
   */
  public static double perSecond(long nanos) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      connect(server, nanos / 4);
      long start = System.nanoTime();
      long connections = connect(server, nanos);
      return connections / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static long connect(ServerSocketChannel server, long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    long connections = 0;
    while (System.nanoTime() - end < 0) {
      try (SocketChannel here = SocketChannel.open(server.getLocalAddress());
          SocketChannel accepted = server.accept()) {
        // Reset instead of TIME_WAIT, or the ports of the host run out.
        here.setOption(StandardSocketOptions.SO_LINGER, 0);
        accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
        connections++;
      }
    }
    return connections;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Connects, accepts and closes TCP connections of the JDK, one after the other. */
final class TcpConnectionLoad implements Load {
  @Override
  public long run(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    long connections = 0;
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      while (System.nanoTime() - end < 0) {
        try (SocketChannel here = SocketChannel.open(server.getLocalAddress());
            SocketChannel accepted = server.accept()) {
          // SO_LINGER 0 resets the connection: ports in TIME_WAIT would run out.
          here.setOption(StandardSocketOptions.SO_LINGER, 0);
          accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
          connections++;
        }
      }
    }
    return connections;
  }
}

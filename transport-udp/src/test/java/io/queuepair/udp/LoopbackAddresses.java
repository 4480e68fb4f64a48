// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses and ports of this host for tests that may run beside each other. */
final class LoopbackAddresses {
  static final InetAddress A = address("127.0.0.50");
  static final InetAddress B = address("127.0.0.51");
  static final InetAddress V6 = address("::1");

  private LoopbackAddresses() {}

  static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Options with a port that is not in use. */
  static UdpOptions options(UdpOptions.Transport transport) {
    assumeTrue(transport != UdpOptions.Transport.EPOLL || Epoll.isAvailable(), "no epoll here");
    return UdpOptions.defaults().withTransport(transport).withPort(freePort());
  }

  private static int freePort() {
    try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(A, 0))) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] payload(int length, int seed) {
    byte[] payload = new byte[length];
    for (int i = 0; i < length; i++) {
      payload[i] = (byte) (seed * 31 + i);
    }
    return payload;
  }
}

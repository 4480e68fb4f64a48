// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** UDP ports for networks of tests: the tests of another build may run on this host. */
public final class FreePort {
  private FreePort() {}

  /** One that is not in use at an address. */
  public static int of(String address) {
    try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, 0))) {
      return probe.getLocalPort();
    } catch (SocketException taken) {
      throw new UncheckedIOException(taken);
    }
  }
}

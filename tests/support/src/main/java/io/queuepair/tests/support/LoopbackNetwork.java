// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Addresses and ports of this host for tests that may run beside each other. */
public final class LoopbackNetwork {
  /** For a server; another process has another one. */
  public static final String SERVER = address(60);

  /** For its client. */
  public static final String CLIENT = address(61);

  /** For another client. */
  public static final String SECOND_CLIENT = address(62);

  private LoopbackNetwork() {}

  /** The JDK refuses to bind 127.x.y.255, so no number here is 255. */
  private static String address(int network) {
    long pid = ProcessHandle.current().pid();
    return "127." + network + "." + (pid / 255 % 255) + "." + (pid % 255);
  }

  /** A TCP port that is not in use. */
  public static int freePort() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

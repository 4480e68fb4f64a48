// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Routes of tests. */
final class TestRoutes {
  static final Route IPV4 = between("10.0.0.1", "10.0.0.2");
  static final Route IPV6 = between("fd00::1", "fd00::2");

  private TestRoutes() {}

  static Route between(String source, String destination) {
    return new Route(address(source), address(destination), 0xc123, 0, 64, 0);
  }

  static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException(literal, impossible);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The addresses of tests. */
public final class TestHosts {
  public static final InetAddress A = host("10.0.0.1");
  public static final InetAddress B = host("10.0.0.2");
  public static final InetAddress C = host("10.0.0.30");
  public static final InetAddress D = host("10.0.0.31");
  public static final InetAddress GROUP = host("239.1.1.1");

  private TestHosts() {}

  public static InetAddress host(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException(literal, impossible);
    }
  }

  public static Route route(InetAddress source, InetAddress destination) {
    return new Route(source, destination, 0xc123, 0, 64, 0);
  }
}

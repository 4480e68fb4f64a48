package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The addresses of tests. */
final class Hosts {
  static final InetAddress A = host("10.0.0.1");
  static final InetAddress B = host("10.0.0.2");
  static final InetAddress C = host("10.0.0.30");
  static final InetAddress D = host("10.0.0.31");
  static final InetAddress GROUP = host("239.1.1.1");

  private Hosts() {}

  static InetAddress host(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException impossible) {
      throw new IllegalArgumentException(literal, impossible);
    }
  }

  static Route route(InetAddress source, InetAddress destination) {
    return new Route(source, destination, 0xc123, 0, 64, 0);
  }
}

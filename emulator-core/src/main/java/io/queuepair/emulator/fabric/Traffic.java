package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/** What travels through a {@link Fabric}: RoCE between IP addresses, or an Ethernet frame. */
public sealed interface Traffic permits RoutedTraffic, Frame {
  /**
   * Where it comes from.
   *
   * @return address of the sending device
   */
  InetAddress source();
}

package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/** RoCE on its way to an IP address: encoded or as objects. */
public sealed interface RoutedTraffic extends Traffic permits Burst, Delivery {
  /**
   * Where it goes.
   *
   * @return address of the receiving device, or of a multicast group
   */
  InetAddress destination();
}

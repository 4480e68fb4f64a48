package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/** What travels through a {@link Fabric}: encoded or as objects. */
public sealed interface Traffic permits Burst, Delivery {
  /**
   * Where it comes from.
   *
   * @return address of the sending device
   */
  InetAddress source();

  /**
   * Where it goes.
   *
   * @return address of the receiving device, or of a multicast group
   */
  InetAddress destination();
}

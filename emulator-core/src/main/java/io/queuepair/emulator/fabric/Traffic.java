// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/** Unit that travels through a {@link Fabric}: RoCE between IP addresses, or an Ethernet frame. */
public sealed interface Traffic permits IpTraffic, Frame {
  /**
   * Address of the sender.
   *
   * @return address of the sending device
   */
  InetAddress source();
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/** RoCE traffic to an IP address, encoded or as objects. */
public sealed interface IpTraffic extends Traffic permits DatagramBurst, PacketEnvelope {
  /**
   * Address of the receiver.
   *
   * @return address of the receiving device, or of a multicast group
   */
  InetAddress destination();
}

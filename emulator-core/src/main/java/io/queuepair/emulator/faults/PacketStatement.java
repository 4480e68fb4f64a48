// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;

/** A statement about packets. */
sealed interface PacketStatement extends FaultStatement permits PacketFault, Partition, Pause {
  /** Effect on a packet. */
  Effect effect();

  /** Whether a packet is one of those that are counted. */
  boolean matches(PacketContext packetContext);

  /** How many of those that are counted are meant. */
  default MatchCount matchCount() {
    return new MatchCount.All();
  }

  /** The hosts that it names. */
  List<InetAddress> hosts();

  /** How late a packet may arrive because of it. */
  default long longestDelayNanos() {
    return 0;
  }
}

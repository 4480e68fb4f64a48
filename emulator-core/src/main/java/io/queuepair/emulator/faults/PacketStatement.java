// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;

/** A statement about packets. */
sealed interface PacketStatement extends FaultStatement permits PacketFault, Partition, Pause {
  Effect effect();

  /** Whether a packet matches the statement; such packets are counted. */
  boolean matches(PacketContext packetContext);

  /** Numbers, among the matching packets, of those that the statement applies to. */
  default MatchCount matchCount() {
    return new MatchCount.All();
  }

  List<InetAddress> hosts();

  /** Longest delay of a packet by this statement. */
  default long longestDelayNanos() {
    return 0;
  }
}

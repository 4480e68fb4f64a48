// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** A fault of packets, such as {@code drop 3rd ACK to 10.0.0.2}. */
record PacketFault(Effect effect, PacketFilter filter) implements PacketStatement {
  @Override
  public boolean matches(PacketContext packetContext) {
    return filter.matches(packetContext) && effect.canBeDoneTo(packetContext);
  }

  @Override
  public MatchCount matchCount() {
    return filter.matchCount();
  }

  @Override
  public List<InetAddress> hosts() {
    List<InetAddress> hosts = new ArrayList<>();
    for (Condition condition : filter.conditions()) {
      if (condition instanceof Condition.From from) {
        hosts.add(from.host());
      } else if (condition instanceof Condition.To to) {
        hosts.add(to.host());
      }
    }
    return hosts;
  }

  @Override
  public long longestDelayNanos() {
    if (effect instanceof Effect.Delay delay) {
      return delay.nanos();
    }
    return effect instanceof Effect.Reorder ? FaultLink.HELD_NANOS : 0;
  }

  @Override
  public String toString() {
    return (effect + " " + filter).strip();
  }
}

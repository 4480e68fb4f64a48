// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;

/** Delays all traffic of a host for some time; nothing is lost. */
record Pause(InetAddress host, Condition.During during) implements PacketStatement {
  @Override
  public Effect effect() {
    return new Effect.Wait(during.endNanos());
  }

  @Override
  public boolean matches(PacketContext packetContext) {
    return during.holds(packetContext)
        && (host.equals(packetContext.source()) || host.equals(packetContext.destination()));
  }

  @Override
  public List<InetAddress> hosts() {
    return List.of(host);
  }

  @Override
  public long longestDelayNanos() {
    return during.forNanos();
  }

  @Override
  public String toString() {
    return "pause " + host.getHostAddress() + " " + during;
  }
}

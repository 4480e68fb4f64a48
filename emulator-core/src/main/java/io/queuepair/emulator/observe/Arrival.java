// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Traffic that arrives at a station, and what it drops of that. Used by one thread. */
final class Arrival {
  private final InetAddress host;
  private final List<? extends Traffic> traffic;
  private final List<DroppedPacket> droppedPackets = new ArrayList<>(0);

  private record DroppedPacket(IpTraffic traffic, int at, String why) {}

  Arrival(InetAddress host, List<? extends Traffic> traffic) {
    this.host = host;
    this.traffic = traffic;
  }

  InetAddress host() {
    return host;
  }

  List<? extends Traffic> traffic() {
    return traffic;
  }

  /** Whether the arrival has this very object, not only an equal one. */
  @SuppressWarnings("ReferenceEquality") // Two bursts with equal bytes are two arrivals.
  boolean holds(IpTraffic ipTraffic) {
    for (Traffic each : traffic) {
      if (each == ipTraffic) {
        return true;
      }
    }
    return false;
  }

  void drop(IpTraffic ipTraffic, int at, String why) {
    droppedPackets.add(new DroppedPacket(ipTraffic, at, why));
  }

  /** Why the station dropped a packet; null if it did not. */
  @SuppressWarnings("ReferenceEquality") // Two bursts with equal bytes are two arrivals.
  @Nullable String whyDropped(IpTraffic ipTraffic, int at) {
    for (DroppedPacket drop : droppedPackets) {
      if (drop.traffic == ipTraffic && drop.at == at) {
        return drop.why;
      }
    }
    return null;
  }
}

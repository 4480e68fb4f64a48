// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Traffic that a station is just receiving, and what it says about it. Of one thread. */
final class Arrival {
  private final InetAddress host;
  private final List<? extends Traffic> traffic;
  private final List<DroppedPacket> drops = new ArrayList<>(0);

  /** A packet that the station has no use for. */
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

  /** Whether that is part of it, and not only equal to a part. */
  @SuppressWarnings("ReferenceEquality") // Two bursts with equal bytes are two arrivals.
  boolean holds(IpTraffic one) {
    for (Traffic each : traffic) {
      if (each == one) {
        return true;
      }
    }
    return false;
  }

  void drop(IpTraffic dropped, int at, String why) {
    drops.add(new DroppedPacket(dropped, at, why));
  }

  /** Why the station dropped a packet; null if it did not. */
  @SuppressWarnings("ReferenceEquality") // Two bursts with equal bytes are two arrivals.
  @Nullable String whyDropped(IpTraffic one, int at) {
    for (DroppedPacket drop : drops) {
      if (drop.traffic == one && drop.at == at) {
        return drop.why;
      }
    }
    return null;
  }
}

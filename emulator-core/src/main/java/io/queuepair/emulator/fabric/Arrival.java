package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Traffic that a station is just receiving, and what it says about it. Of one thread. */
final class Arrival {
  private final InetAddress host;
  private final List<? extends Traffic> traffic;
  private final List<Drop> drops = new ArrayList<>(0);

  /** A packet that the station has no use for. */
  private record Drop(RoutedTraffic traffic, int at, String why) {}

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
  boolean holds(RoutedTraffic one) {
    for (Traffic each : traffic) {
      if (each == one) {
        return true;
      }
    }
    return false;
  }

  void drop(RoutedTraffic dropped, int at, String why) {
    drops.add(new Drop(dropped, at, why));
  }

  /** Why the station dropped a packet; null if it did not. */
  @SuppressWarnings("ReferenceEquality") // Two bursts with equal bytes are two arrivals.
  String whyDropped(RoutedTraffic one, int at) {
    for (Drop drop : drops) {
      if (drop.traffic == one && drop.at == at) {
        return drop.why;
      }
    }
    return null;
  }
}

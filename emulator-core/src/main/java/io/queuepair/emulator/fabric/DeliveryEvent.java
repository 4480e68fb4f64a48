// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrival of packets in an {@link InMemoryFabric}. The sender may reuse it after it ran. */
final class DeliveryEvent extends Event {
  private final InMemoryFabric fabric;
  private final InMemoryLink senderLink;
  private final List<Traffic> traffic = new ArrayList<>(1);
  private @Nullable InetAddress destination;

  /** Number of events that this one has absorbed. */
  private int absorbed;

  DeliveryEvent(InMemoryFabric fabric, InMemoryLink senderLink) {
    this.fabric = fabric;
    this.senderLink = senderLink;
  }

  /** Empties the event for traffic to a new destination. */
  DeliveryEvent to(InetAddress newDestination) {
    traffic.clear();
    absorbed = 0;
    destination = newDestination;
    return this;
  }

  @Nullable InetAddress destination() {
    return destination;
  }

  /** Adds traffic. All traffic of the event arrives together, in the order of addition. */
  void add(Traffic next) {
    traffic.add(next);
  }

  int size() {
    return traffic.size();
  }

  @Override
  boolean absorb(Event next) {
    if (!(next instanceof DeliveryEvent other)
        || other.senderLink != senderLink
        || !other.destination.equals(destination)
        || traffic.size() + other.traffic.size() > fabric.options().burstPackets()) {
      return false;
    }
    for (int i = 0; i < other.traffic.size(); i++) {
      traffic.add(other.traffic.get(i));
    }
    absorbed += 1 + other.absorbed;
    return true;
  }

  @Override
  void run() {
    try {
      List<InMemoryLink> receiverLinks = fabric.receiversOf(destination);
      if (receiverLinks.isEmpty()) {
        traffic.forEach(fabric::lose);
      }
      for (int i = 0;
          i < receiverLinks.size();
          i++) { // No iterator, which may be garbage for each packet.
        InMemoryLink receiverLink = receiverLinks.get(i);
        if (!receiverLink.isCut()) {
          receiverLink.station().receive(traffic);
        }
      }
    } finally {
      // A receiver's bug must not leave the sender waiting for room.
      senderLink.arrived(1 + absorbed, traffic.size());
    }
  }
}

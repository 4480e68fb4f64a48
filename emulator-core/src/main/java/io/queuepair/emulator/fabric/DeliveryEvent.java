// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arrival of RoCE packets in an {@link InMemoryFabric}. Afterwards the sender may reuse it. */
final class DeliveryEvent extends Event {
  private final InMemoryFabric fabric;
  private final InMemoryLink senderLink;
  private final List<Traffic> traffic = new ArrayList<>(1);
  private @Nullable InetAddress destination;

  /** How many others it has taken over. */
  private int absorbed;

  DeliveryEvent(InMemoryFabric fabric, InMemoryLink senderLink) {
    this.fabric = fabric;
    this.senderLink = senderLink;
  }

  /** Sets out again, empty. */
  DeliveryEvent to(InetAddress newDestination) {
    traffic.clear();
    absorbed = 0;
    destination = newDestination;
    return this;
  }

  @Nullable InetAddress destination() {
    return destination;
  }

  /** Traffic that arrives together, in the order of sending. */
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
    other.traffic.forEach(traffic::add);
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
          i++) { // An iterator may be garbage for each packet.
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

package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** RoCE on its way through an {@link InMemoryFabric}: the event of its arrival. */
final class Transit extends Event {
  private final InMemoryFabric fabric;
  private final InetAddress destination;
  private final InMemoryLink sender;
  private List<Traffic> traffic;

  /**
   * Traffic that arrives together.
   *
   * @param traffic at least one, in the order of sending
   */
  Transit(
      InMemoryFabric fabric, List<Traffic> traffic, InetAddress destination, InMemoryLink sender) {
    this.fabric = fabric;
    this.traffic = traffic;
    this.destination = destination;
    this.sender = sender;
  }

  @Override
  boolean absorb(Event next) {
    if (!(next instanceof Transit other)
        || other.sender != sender
        || !other.destination.equals(destination)
        || traffic.size() + other.traffic.size() > fabric.options().burstPackets()) {
      return false;
    }
    if (traffic.size() == 1) {
      traffic = new ArrayList<>(traffic);
    }
    traffic.addAll(other.traffic);
    return true;
  }

  @Override
  void run() {
    sender.arrived(traffic.size());
    try {
      fabric.deliver(destination, traffic);
    } finally {
      // A receiver's bug must not leave the sender waiting for room.
      sender.resume();
    }
  }
}

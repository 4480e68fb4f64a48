package io.queuepair.emulator.fabric;

import java.util.ArrayList;
import java.util.List;

/** RoCE on its way through an {@link InMemoryFabric}: the event of its arrival. */
final class Transit extends Event {
  /** What is handed over together at most, so that no station keeps the others waiting. */
  private static final int BATCH_LIMIT = 256;

  private final InMemoryFabric fabric;
  private final RoutedTraffic traffic;
  private final InMemoryLink sender;

  /** What arrives together with this, later ones last; empty in virtual time. */
  private List<Transit> followers = List.of();

  Transit(InMemoryFabric fabric, RoutedTraffic traffic, InMemoryLink sender) {
    this.fabric = fabric;
    this.traffic = traffic;
    this.sender = sender;
  }

  @Override
  boolean absorb(Event next) {
    if (followers.size() == BATCH_LIMIT - 1
        || !(next instanceof Transit other)
        || !other.traffic.destination().equals(traffic.destination())) {
      return false;
    }
    if (followers.isEmpty()) {
      followers = new ArrayList<>();
    }
    followers.add(other);
    return true;
  }

  @Override
  void run() {
    sender.arrived();
    followers.forEach(follower -> follower.sender.arrived());
    try {
      fabric.deliver(traffic.destination(), arrivedTogether());
    } finally {
      // A receiver's bug must not leave the senders waiting for room.
      sender.resume();
      followers.forEach(follower -> follower.sender.resume());
    }
  }

  private List<Traffic> arrivedTogether() {
    if (followers.isEmpty()) {
      return List.of(traffic);
    }
    List<Traffic> arrived = new ArrayList<>(followers.size() + 1);
    arrived.add(traffic);
    followers.forEach(follower -> arrived.add(follower.traffic));
    return arrived;
  }
}

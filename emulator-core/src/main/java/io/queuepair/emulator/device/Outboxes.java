package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The ways out of a device, one for each address. The first one stays. */
final class Outboxes {
  /** In order of addition; replaced, never changed, so that it is read without a lock. */
  private volatile List<Outbox> outboxes;

  Outboxes(List<Outbox> outboxes) {
    this.outboxes = List.copyOf(outboxes);
  }

  Outbox first() {
    return outboxes.get(0);
  }

  /** That of an address; null if the device does not have it. */
  Outbox of(InetAddress address) {
    List<Outbox> all = outboxes;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).address().equals(address)) {
        return all.get(i);
      }
    }
    return null;
  }

  /** Sends by other links from now on; between two turns of the device. */
  void replaceLinks(BiFunction<InetAddress, Link, Link> replacement) {
    List<Outbox> replaced = new ArrayList<>();
    for (Outbox outbox : outboxes) {
      replaced.add(outbox.by(replacement.apply(outbox.address(), outbox.link())));
    }
    outboxes = List.copyOf(replaced);
  }

  void add(Outbox outbox) {
    List<Outbox> more = new ArrayList<>(outboxes);
    more.add(outbox);
    outboxes = List.copyOf(more);
  }

  void remove(Outbox outbox) {
    List<Outbox> fewer = new ArrayList<>(outboxes);
    fewer.remove(outbox);
    outboxes = List.copyOf(fewer);
  }

  /** The link that joins a group: one, not all, as the device needs one copy. */
  Link linkOfFamily(InetAddress group) {
    for (Outbox outbox : outboxes) {
      if (outbox.address().getClass() == group.getClass()) {
        return outbox.link();
      }
    }
    throw new FabricException(
        "No address of the device is of the family of the group " + group.getHostAddress() + ".",
        null);
  }

  /** Whether packets may leave right away, without {@link #ring}. */
  boolean needNoRing() {
    List<Outbox> all = outboxes;
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).link().needsNoRing()) {
        return false;
      }
    }
    return true;
  }

  void ring() {
    List<Outbox> all = outboxes;
    for (int i = 0; i < all.size(); i++) {
      all.get(i).link().ring();
    }
  }

  boolean areWritable() {
    List<Outbox> all = outboxes;
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).link().isWritable()) {
        return false;
      }
    }
    return true;
  }

  /** Memory goes back to the application: what is on its way must not show it any more. */
  void ownPayloads() {
    List<Outbox> all = outboxes;
    for (int i = 0; i < all.size(); i++) {
      all.get(i).link().ownPayloads();
    }
  }

  /** Ends a turn of the device. */
  void endTurn() {
    List<Outbox> all = outboxes;
    for (int i = 0; i < all.size(); i++) {
      all.get(i).endTurn();
    }
  }

  void close() {
    for (Outbox outbox : outboxes) {
      outbox.link().close();
    }
  }
}

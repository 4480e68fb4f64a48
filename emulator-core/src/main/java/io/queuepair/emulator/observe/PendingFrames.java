// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait to be written to a capture file, in the order in which they will stand there. A
 * frame whose packet is on its way to a device of this network waits until that device has taken or
 * dropped it, and so do those after it: what is in the file is never changed.
 */
final class PendingFrames {
  /** Frames that wait at most: at least twice what one sender can have on its way in memory. */
  static final int LIMIT = 8_192;

  /** How long a frame waits at most: sockets lose datagrams, without notice. */
  static final long LONGEST_WAIT_NANOS = 1_000_000_000;

  private final Deque<PendingPacket> frames = new ArrayDeque<>();
  private final Map<PacketKey, Deque<PendingPacket>> underWay = new LinkedHashMap<>();

  void add(PendingPacket frame) {
    frames.addLast(frame);
    if (frame.underWay() != null) {
      underWay.computeIfAbsent(frame.underWay(), absent -> new ArrayDeque<>(1)).addLast(frame);
    }
  }

  /** The frame of a packet that has arrived, which waits no more; null if there is none. */
  @Nullable PendingPacket arrived(PacketKey key) {
    Deque<PendingPacket> equal = underWay.get(key);
    if (equal == null) {
      return null;
    }
    PendingPacket first = equal.peekFirst();
    release(first);
    return first;
  }

  /** Forgets frames on their way to a host: they do not arrive any more. */
  void forget(InetAddress destination) {
    for (PacketKey key : List.copyOf(underWay.keySet())) {
      if (key.destination().equals(destination)) {
        underWay.remove(key).forEach(PendingPacket::arrived);
      }
    }
  }

  private void release(PendingPacket frame) {
    Deque<PendingPacket> equal = underWay.get(frame.underWay());
    equal.remove(frame);
    if (equal.isEmpty()) {
      underWay.remove(frame.underWay());
    }
    frame.arrived();
  }

  /** Removes the next frame that is to be written; null if there is none, or it has to wait. */
  @Nullable PendingPacket next(long nowNanos) {
    PendingPacket first = frames.peekFirst();
    boolean waits =
        first != null
            && first.underWay() != null
            && frames.size() <= LIMIT
            && nowNanos - first.seen().nowNanos() < LONGEST_WAIT_NANOS;
    return waits ? null : next();
  }

  /** Removes the next frame, whether or not it has to wait; null if there is none. */
  @Nullable PendingPacket next() {
    PendingPacket first = frames.pollFirst();
    if (first != null && first.underWay() != null) {
      release(first);
    }
    return first;
  }
}

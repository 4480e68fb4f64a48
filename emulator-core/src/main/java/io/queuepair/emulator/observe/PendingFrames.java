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
 * Frames that wait to be written to a capture file, in their order in the file. A frame whose
 * packet is on its way to a device of this network waits until that device has accepted or dropped
 * it. So do the frames after it, as what is in the file is never changed.
 */
final class PendingFrames {
  /** Most frames that wait: at least twice what one sender can have on its way in memory. */
  static final int LIMIT = 8_192;

  /** Longest wait of a frame, as sockets lose datagrams without notice. */
  static final long LONGEST_WAIT_NANOS = 1_000_000_000;

  private final Deque<PendingPacket> packets = new ArrayDeque<>();
  private final Map<PacketKey, Deque<PendingPacket>> packetsByKey = new LinkedHashMap<>();

  void add(PendingPacket packet) {
    packets.addLast(packet);
    if (packet.keyUnderWay() != null) {
      packetsByKey.computeIfAbsent(packet.keyUnderWay(), k -> new ArrayDeque<>(1)).addLast(packet);
    }
  }

  /** Ends the wait of an arrived packet's frame, and returns it; null if there is none. */
  @Nullable PendingPacket arrived(PacketKey key) {
    Deque<PendingPacket> equalPackets = packetsByKey.get(key);
    if (equalPackets == null) {
      return null;
    }
    PendingPacket first = equalPackets.peekFirst();
    release(first);
    return first;
  }

  /** Ends the wait of frames on their way to a host, at which they do not arrive any more. */
  void forget(InetAddress destination) {
    for (PacketKey key : List.copyOf(packetsByKey.keySet())) {
      if (key.destination().equals(destination)) {
        packetsByKey.remove(key).forEach(PendingPacket::arrived);
      }
    }
  }

  private void release(PendingPacket packet) {
    Deque<PendingPacket> equalPackets = packetsByKey.get(packet.keyUnderWay());
    equalPackets.remove(packet);
    if (equalPackets.isEmpty()) {
      packetsByKey.remove(packet.keyUnderWay());
    }
    packet.arrived();
  }

  /** Removes the next frame that is to be written; null if there is none, or it has to wait. */
  @Nullable PendingPacket next(long nowNanos) {
    PendingPacket first = packets.peekFirst();
    boolean waits =
        first != null
            && first.keyUnderWay() != null
            && packets.size() <= LIMIT
            && nowNanos - first.observed().nowNanos() < LONGEST_WAIT_NANOS;
    return waits ? null : next();
  }

  /** Removes the next frame, whether or not it has to wait; null if there is none. */
  @Nullable PendingPacket next() {
    PendingPacket first = packets.pollFirst();
    if (first != null && first.keyUnderWay() != null) {
      release(first);
    }
    return first;
  }
}

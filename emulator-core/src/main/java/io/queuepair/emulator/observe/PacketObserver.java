// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Sees each packet of an {@link ObservedFabric} once. Packets are reported from within a device,
 * under its lock and by several threads: an observer takes what it needs and keeps what leads out
 * of this package, such as a file, for {@link #flush}.
 */
interface PacketObserver {
  /** The identification is not known: the packet came through a socket, which does not show it. */
  int UNKNOWN_IDENTIFICATION = -1;

  /**
   * When and where a packet was seen.
   *
   * @param port the address under which the device is attached
   * @param isInbound whether it arrives there, and does not leave
   * @param hasFateToCome whether {@link #arrived} will tell if a device takes it
   */
  record ObservedPacket(
      long nowNanos, InetAddress port, boolean isInbound, boolean hasFateToCome) {}

  /**
   * A packet passed as an object.
   *
   * @param fault what was done to it on purpose, or null
   */
  void packet(ObservedPacket observed, Packet packet, @Nullable String fault);

  /**
   * A datagram passed, whatever it holds.
   *
   * @param identification of the IPv4 header, or {@link #UNKNOWN_IDENTIFICATION}
   * @param payload BTH to ICRC, lent for the time of the call
   */
  void datagram(
      ObservedPacket observed,
      Route route,
      int identification,
      Payload payload,
      PacketComment comment);

  /**
   * A frame passed that an application made itself.
   *
   * @param fault what was done to it on purpose, or null
   */
  void frame(ObservedPacket observed, RawFrame frame, @Nullable String fault);

  /**
   * A packet has arrived, and a host has decided about it. Called without a lock.
   *
   * @param dropped why the host has no use for it, or null if it has taken it
   */
  default void arrived(InetAddress host, PacketKey packet, @Nullable String dropped) {}

  /** Nothing arrives at a host any more. */
  default void detached(InetAddress host) {}

  /** Something happened to a host on purpose. */
  default void annotate(long nowNanos, InetAddress host, String note) {}

  /** Ends a group of packets that came together; called without a lock. */
  default void flush(long nowNanos) {}

  /** Nothing more will come. */
  default void close() {}
}

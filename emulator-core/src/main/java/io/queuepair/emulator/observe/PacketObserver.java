// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Sees each packet of an {@link ObservedFabric} once. Packets are reported by several threads,
 * under the lock of a device: an observer copies what it needs and leaves output, such as to a
 * file, to {@link #flush}.
 */
interface PacketObserver {
  /** The identification is not known: the packet came through a socket, which does not show it. */
  int UNKNOWN_IDENTIFICATION = -1;

  /**
   * When and where a packet was seen.
   *
   * @param port the address under which the device is attached
   * @param isInbound whether it arrives at the port instead of leaving it
   * @param hasFateToCome whether {@link #arrived} will follow
   */
  record ObservedPacket(
      long nowNanos, InetAddress port, boolean isInbound, boolean hasFateToCome) {}

  /**
   * A packet passed as an object.
   *
   * @param fault the injected fault, or null
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
   * An Ethernet frame passed that an application made.
   *
   * @param fault the injected fault, or null
   */
  void frame(ObservedPacket observed, RawFrame frame, @Nullable String fault);

  /**
   * A host has accepted or dropped a packet that arrived. Called without a lock.
   *
   * @param dropped why the host dropped it, or null if it was accepted
   */
  default void arrived(InetAddress host, PacketKey packet, @Nullable String dropped) {}

  /** A host was detached: nothing arrives at it any more. */
  default void detached(InetAddress host) {}

  /** A fault or another event happened at a host. */
  default void annotate(long nowNanos, InetAddress host, String note) {}

  /** Ends a group of packets, so that output may be written; called without a lock. */
  default void flush(long nowNanos) {}

  /** The network is closed; no other call follows. */
  default void close() {}
}

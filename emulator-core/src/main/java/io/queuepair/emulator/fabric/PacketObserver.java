package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;

/**
 * Sees each packet of an {@link ObservedFabric} once. Packets are reported from within a device,
 * under its lock and by several threads: an observer takes what it needs and keeps what leads out
 * of this package for {@link #flush}.
 */
interface PacketObserver {
  /** The identification is not known: the packet came through a socket, which does not show it. */
  int UNKNOWN_IDENTIFICATION = -1;

  /**
   * A packet passed as an object.
   *
   * @param fault what was done to it on purpose, or null
   */
  void packet(long nowNanos, Packet packet, String fault);

  /**
   * A datagram passed, whatever it holds.
   *
   * @param identification of the IPv4 header, or {@link #UNKNOWN_IDENTIFICATION}
   * @param datagram BTH to ICRC, lent for the time of the call
   * @param fault what was done to it on purpose, or null
   */
  void datagram(long nowNanos, Route route, int identification, Payload datagram, String fault);

  /**
   * A frame passed that an application made itself.
   *
   * @param fault what was done to it on purpose, or null
   */
  void frame(long nowNanos, RawFrame frame, String fault);

  /** A host has no use for a packet that was an object, and says why. */
  void dropped(long nowNanos, InetAddress host, Packet packet, String why);

  /**
   * A host has no use for a datagram, and says why.
   *
   * @param datagram BTH to ICRC, lent for the time of the call
   */
  void dropped(long nowNanos, InetAddress host, Route route, Payload datagram, String why);

  /** Something happened to a host on purpose. */
  void remark(long nowNanos, InetAddress host, String note);

  /** What came together has been reported; called without a lock. */
  void flush();

  /** Nothing more will come. */
  void close();
}

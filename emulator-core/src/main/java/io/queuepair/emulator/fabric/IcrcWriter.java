// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Writes the ICRC of encoded datagrams, valid or not. Not thread-safe. */
public final class IcrcWriter {
  private static final int HOP_LIMIT = 64;

  private final Icrc icrc = new Icrc();

  /** Creates a seal, to be used for many datagrams. */
  public IcrcWriter() {}

  /**
   * Writes the ICRC into the last four bytes of a datagram; over IPv4 for identification 0 and the
   * don't-fragment bit.
   *
   * @param source address of the sender
   * @param destination address of the receiver, of the same family
   * @param sourcePort UDP source port
   * @param datagram BTH to ICRC, from position to limit, at least 16 bytes; big-endian
   * @throws IllegalArgumentException if it is shorter than a BTH and an ICRC
   */
  public void seal(
      InetAddress source, InetAddress destination, int sourcePort, ByteBuffer datagram) {
    if (datagram.remaining() < RoceV2.BTH_BYTES + RoceV2.ICRC_BYTES) {
      throw new IllegalArgumentException(
          datagram.remaining() + " bytes are less than a BTH and an ICRC");
    }
    Route route = new Route(source, destination, sourcePort, 0, HOP_LIMIT, 0);
    icrc.seal(route, datagram, datagram.position(), datagram.remaining());
  }
}

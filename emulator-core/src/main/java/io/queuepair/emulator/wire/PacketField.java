// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** A field of packets as an unsigned number; {@code toString} is the name it has in reports. */
public interface PacketField {
  /** How long it is, 1 to 64; where that depends on the packet, the most. */
  int bits();

  /** How long it is in a packet that has it. */
  default int bitsIn(Packet packet) {
    return bits();
  }

  /** The largest value; all ones, negative if it has 64 bits. */
  default long mask() {
    return -1L >>> (Long.SIZE - bits());
  }

  /** Whether a packet has the field. */
  boolean isIn(Packet packet);

  /** The value in a packet that has the field; compare as unsigned. */
  long of(Packet packet);

  /** A copy of a packet with another value, of which only the lowest bits count that it has. */
  Packet with(Packet packet, long value);
}

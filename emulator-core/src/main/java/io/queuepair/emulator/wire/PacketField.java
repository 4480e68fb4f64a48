// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Field of packets as an unsigned number; {@code toString} is its name in reports. */
public interface PacketField {
  /** Length of the field in bits, 1 to 64; the maximum if it depends on the packet. */
  int bits();

  /** Length of the field in bits in a packet that has the field. */
  default int bitsIn(Packet packet) {
    return bits();
  }

  /** Largest value: all bits set, so negative if the field has 64 bits. */
  default long mask() {
    return -1L >>> (Long.SIZE - bits());
  }

  boolean isIn(Packet packet);

  /** Value in a packet that has the field; compare as unsigned. */
  long of(Packet packet);

  /** Copy of a packet with another value, of which only the bits of the field are used. */
  Packet with(Packet packet, long value);
}

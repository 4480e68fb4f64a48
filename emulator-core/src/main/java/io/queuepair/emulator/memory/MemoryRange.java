// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

/**
 * A range of emulated addresses.
 *
 * @param addr first byte, unsigned 64-bit
 * @param length bytes, not negative
 */
public record MemoryRange(long addr, long length) {
  boolean contains(MemoryRange other) {
    return contains(addr, length, other.addr, other.length);
  }

  /** Whether one range contains another, without range objects. */
  static boolean contains(long addr, long length, long otherAddr, long otherLength) {
    // The comparison does not overflow: offset is compared only if it is not negative.
    long offset = otherAddr - addr;
    return offset >= 0 && otherLength >= 0 && offset <= length - otherLength;
  }

  @Override
  public String toString() {
    return length + " bytes from 0x" + Long.toHexString(addr) + " on";
  }
}

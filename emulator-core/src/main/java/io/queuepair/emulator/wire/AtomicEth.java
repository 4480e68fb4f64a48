// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Atomic extended transport header.
 *
 * @param swapOrAdd new value of a compare and swap, or addend of a fetch and add
 * @param compare expected value of a compare and swap; 0 in a fetch and add
 */
public record AtomicEth(long virtualAddress, int rkey, long swapOrAdd, long compare)
    implements ExtensionHeader {
  static AtomicEth read(ByteBuffer bytes, int at) {
    long virtualAddress = ExtensionHeader.longAt(bytes, at);
    int rkey = bytes.getInt(at + 8);
    long swapOrAdd = ExtensionHeader.longAt(bytes, at + 12);
    return new AtomicEth(virtualAddress, rkey, swapOrAdd, ExtensionHeader.longAt(bytes, at + 20));
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putLong(at, virtualAddress);
    into.putInt(at + 8, rkey);
    into.putLong(at + 12, swapOrAdd);
    into.putLong(at + 20, compare);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.ATOMIC_ETH;
  }

  @Override
  public String toString() {
    return String.format(
        "va=0x%x rkey=0x%08x swap_add=0x%x compare=0x%x", virtualAddress, rkey, swapOrAdd, compare);
  }
}

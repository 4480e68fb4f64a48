// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Atomic acknowledge header: the value in memory before the operation. */
public record AtomicAckEth(long original) implements ExtensionHeader {
  static AtomicAckEth read(ByteBuffer bytes, int at) {
    return new AtomicAckEth(ExtensionHeader.longAt(bytes, at));
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putLong(at, original);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.ATOMIC_ACK_ETH;
  }

  @Override
  public String toString() {
    return String.format("original=0x%x", original);
  }
}

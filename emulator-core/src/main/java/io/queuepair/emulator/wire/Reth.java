// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * RDMA extended transport header: the remote memory of a write, a read, a flush or an atomic write.
 *
 * @param dmaLength number of bytes of the whole message, unsigned 32 bits
 */
public record Reth(long virtualAddress, int rkey, long dmaLength) implements ExtensionHeader {
  public Reth {
    assert dmaLength >>> 32 == 0 : dmaLength;
  }

  static Reth read(ByteBuffer bytes, int at) {
    long virtualAddress = ExtensionHeader.longAt(bytes, at);
    int rkey = bytes.getInt(at + 8);
    long dmaLength = Integer.toUnsignedLong(bytes.getInt(at + 12));
    return new Reth(virtualAddress, rkey, dmaLength);
  }

  @Override
  public void write(ByteBuffer into, int at) {
    write(into, at, virtualAddress, rkey, dmaLength);
  }

  /** Writes a RETH without creating an object. */
  static void write(ByteBuffer into, int at, long virtualAddress, int rkey, long dmaLength) {
    into.putLong(at, virtualAddress);
    into.putInt(at + 8, rkey);
    into.putInt(at + 12, (int) dmaLength);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.RETH;
  }

  @Override
  public String toString() {
    return String.format("va=0x%x rkey=0x%08x len=", virtualAddress, rkey) + dmaLength;
  }
}

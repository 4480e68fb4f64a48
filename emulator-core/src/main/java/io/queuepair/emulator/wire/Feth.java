// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Flush extended transport header.
 *
 * @param placement bit 0 for global visibility, bit 1 for persistence
 * @param selectivity 0 for the range in the RETH, 1 for the whole memory region
 */
public record Feth(int placement, int selectivity) implements ExtensionHeader {
  public Feth {
    assert placement >>> 4 == 0 : placement;
    assert selectivity >>> 2 == 0 : selectivity;
  }

  static Feth read(ByteBuffer bytes, int at) {
    int word = bytes.getInt(at);
    return new Feth(word & 0xf, word >>> 4 & 3);
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, placement | selectivity << 4);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.FETH;
  }

  @Override
  public String toString() {
    return "placement=" + placement + " selectivity=" + selectivity;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Reliable datagram extended transport header: the end-to-end context of a packet. */
public record Rdeth(int eeContext) implements ExtensionHeader {
  public Rdeth {
    assert eeContext >>> 24 == 0 : eeContext;
  }

  static Rdeth read(ByteBuffer bytes, int at) {
    return new Rdeth(bytes.getInt(at) & 0xffffff);
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, eeContext);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.RDETH;
  }

  @Override
  public String toString() {
    return String.format("eec=0x%06x", eeContext);
  }
}

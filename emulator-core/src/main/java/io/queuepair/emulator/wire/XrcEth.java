// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** XRC extended transport header: the number of the shared receive queue for a request. */
public record XrcEth(int srqn) implements ExtensionHeader {
  public XrcEth {
    assert srqn >>> 24 == 0 : srqn;
  }

  static XrcEth read(ByteBuffer bytes, int at) {
    return new XrcEth(bytes.getInt(at) & 0xffffff);
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, srqn);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.XRCETH;
  }

  @Override
  public String toString() {
    return String.format("srqn=0x%06x", srqn);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Datagram extended transport header: the Q_Key, and the QPN of the sender. */
public record Deth(int qkey, int sourceQpn) implements ExtensionHeader {
  public Deth {
    assert sourceQpn >>> 24 == 0 : sourceQpn;
  }

  static Deth read(ByteBuffer bytes, int at) {
    return new Deth(bytes.getInt(at), bytes.getInt(at + 4) & 0xffffff);
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, qkey);
    into.putInt(at + 4, sourceQpn);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.DETH;
  }

  @Override
  public String toString() {
    return String.format("qkey=0x%08x sqpn=0x%06x", qkey, sourceQpn);
  }
}

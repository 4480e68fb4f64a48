// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Immediate data.
 *
 * @param immediate four bytes as one big-endian number; applications may use another byte order
 */
public record ImmDt(int immediate) implements ExtensionHeader {
  static ImmDt read(ByteBuffer bytes, int at) {
    return new ImmDt(bytes.getInt(at));
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, immediate);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.IMM_DT;
  }

  @Override
  public String toString() {
    return String.format("imm=0x%08x", immediate);
  }
}

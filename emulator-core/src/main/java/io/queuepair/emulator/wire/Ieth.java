// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Invalidate extended transport header.
 *
 * @param rkey rkey that the responder invalidates
 */
public record Ieth(int rkey) implements ExtensionHeader {
  static Ieth read(ByteBuffer bytes, int at) {
    return new Ieth(bytes.getInt(at));
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putInt(at, rkey);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.IETH;
  }

  @Override
  public String toString() {
    return String.format("inv_rkey=0x%08x", rkey);
  }
}

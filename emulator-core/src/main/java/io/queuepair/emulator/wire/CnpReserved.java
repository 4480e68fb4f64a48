// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Sixteen reserved bytes of a congestion notification packet (annex A17). */
record CnpReserved() implements ExtensionHeader {
  static CnpReserved read(ByteBuffer bytes, int at) {
    return new CnpReserved();
  }

  @Override
  public void write(ByteBuffer into, int at) {
    into.putLong(at, 0);
    into.putLong(at + 8, 0);
  }

  @Override
  public HeaderKind kind() {
    return HeaderKind.CNP_RESERVED;
  }

  @Override
  public String toString() {
    return "cnp";
  }
}

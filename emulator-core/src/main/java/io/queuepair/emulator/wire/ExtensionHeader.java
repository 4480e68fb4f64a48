// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * A header between the BTH and the payload. Each record holds its reader and its writer; reserved
 * bits are ignored when read and zero when written. {@code toString} is its part of a ladder line.
 */
public sealed interface ExtensionHeader
    permits Rdeth,
        Deth,
        XrcEth,
        Feth,
        Reth,
        AtomicEth,
        Aeth,
        AtomicAckEth,
        ImmDt,
        Ieth,
        CnpReserved {

  HeaderKind kind();

  /** Writes {@code kind().bytes()} bytes at an absolute index. */
  void write(ByteBuffer into, int at);

  /**
   * Eight bytes, in two halves: where a packet was copied word by word a moment ago, a processor
   * has the words before they are in its cache, but nothing that is made of two of them.
   */
  static long longAt(ByteBuffer bytes, int at) {
    return (long) bytes.getInt(at) << Integer.SIZE | Integer.toUnsignedLong(bytes.getInt(at + 4));
  }
}

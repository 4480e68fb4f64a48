// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Header between the BTH and the payload. Each record has a reader and a writer; reserved bits are
 * ignored when read and zero when written. {@code toString} is its part of a line in a ladder.
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
   * Reads eight bytes as two words. The packet was often copied word by word just before: the
   * processor can forward each stored word to a load of that word, but not two of them to one load.
   */
  static long longAt(ByteBuffer bytes, int at) {
    return (long) bytes.getInt(at) << Integer.SIZE | Integer.toUnsignedLong(bytes.getInt(at + 4));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Sge;
import java.util.List;

/** Scatter/gather entries, as C has them. */
final class SgeList {
  static final int SIZE = VerbsAbi.size("ibv_sge");

  private static final int LENGTH = VerbsAbi.offset("ibv_sge.length");
  private static final int LKEY = VerbsAbi.offset("ibv_sge.lkey");

  private SgeList() {}

  /** Writes entries that name registered memory. */
  static void write(long at, List<Sge> entries) {
    for (int i = 0; i < entries.size(); i++) {
      Sge entry = entries.get(i);
      write(at + (long) i * SIZE, entry.addr(), entry.length(), entry.lkey());
    }
  }

  static void write(long at, long addr, int length, int lkey) {
    RawMemory.putLong(at, addr);
    RawMemory.putInt(at + LENGTH, length);
    RawMemory.putInt(at + LKEY, lkey);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.List;

/** {@code struct ibv_sge}. */
final class SgeStruct {
  static final int SIZE = 16;

  private SgeStruct() {}

  static Sge read(ByteBuffer args, int at) {
    return new Sge(args.getLong(at), args.getInt(at + 8), args.getInt(at + 12));
  }

  static List<Sge> readList(ByteBuffer args, int at, int count) {
    Sge[] sges = new Sge[count];
    for (int i = 0; i < count; i++) {
      sges[i] = read(args, at + i * SIZE);
    }
    return List.of(sges);
  }

  /** Reads entries into the list of a request. */
  static void readAll(ByteBuffer args, int at, int count, SgeArray into) {
    for (int i = 0; i < count; i++) {
      int entry = at + i * SIZE;
      into.add(args.getLong(entry), args.getInt(entry + 8), args.getInt(entry + 12));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

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
    return switch (count) {
      case 0 -> List.of();
      case 1 -> List.of(read(args, at));
      default -> {
        Sge[] sges = new Sge[count];
        for (int i = 0; i < count; i++) {
          sges[i] = read(args, at + i * SIZE);
        }
        yield List.of(sges);
      }
    };
  }
}

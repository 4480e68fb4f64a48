// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GidEntry;
import java.nio.ByteBuffer;

/** {@code union ibv_gid}, 16 bytes in network order, and {@code struct ibv_gid_entry}. */
final class GidStruct {
  private static final int BYTES = 16;

  /** Size of {@code struct ibv_gid_entry}. */
  static final int ENTRY_BYTES = 32;

  private GidStruct() {}

  static Gid get(ByteBuffer args, int at) {
    byte[] bytes = new byte[BYTES];
    args.get(at, bytes);
    return Gid.ofBytes(bytes);
  }

  /** Writes an entry; an empty one has type 0 and no interface. */
  static void putEntry(ByteBuffer args, int at, Context context, int port, int index) {
    Gid gid = context.queryGid(port, index);
    GidEntry entry = gid.isZero() ? null : context.queryGidEx(port, index);
    put(args, at, gid);
    args.putInt(at + 16, index);
    args.putInt(at + 20, port);
    args.putInt(at + 24, entry == null ? 0 : entry.gidType().code());
    args.putInt(at + 28, entry == null ? 0 : entry.ndevIfindex());
  }

  static void put(ByteBuffer args, int at, Gid gid) {
    args.put(at, gid.toBytes());
  }
}

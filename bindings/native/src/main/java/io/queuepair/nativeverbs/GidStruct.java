// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;

/** {@code union ibv_gid}: 16 bytes in network order. */
final class GidStruct {
  private static final int BYTES = 16;

  private GidStruct() {}

  static Gid get(ByteBuffer args, int at) {
    byte[] bytes = new byte[BYTES];
    args.get(at, bytes);
    return Gid.ofBytes(bytes);
  }

  static void put(ByteBuffer args, int at, Gid gid) {
    args.put(at, gid.toBytes());
  }
}

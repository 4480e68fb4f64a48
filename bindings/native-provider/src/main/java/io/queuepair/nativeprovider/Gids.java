// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.GidType;
import io.queuepair.verbs.VerbsConstant;
import java.nio.ByteOrder;

/** GIDs and entries of their tables, as C has them. */
final class Gids {
  static final int GID_BYTES = 16;
  static final int ENTRY_BYTES = VerbsAbi.size("ibv_gid_entry");

  private static final int GID_INDEX = VerbsAbi.offset("ibv_gid_entry.gid_index");
  private static final int PORT_NUM = VerbsAbi.offset("ibv_gid_entry.port_num");
  private static final int GID_TYPE = VerbsAbi.offset("ibv_gid_entry.gid_type");
  private static final int NDEV_IFINDEX = VerbsAbi.offset("ibv_gid_entry.ndev_ifindex");

  private Gids() {}

  static Gid read(long at) {
    return new Gid(RawMemory.getBigEndian(at), RawMemory.getBigEndian(at + Long.BYTES));
  }

  static void write(long at, Gid gid) {
    RawMemory.putBigEndian(at, gid.subnetPrefix());
    RawMemory.putBigEndian(at + Long.BYTES, gid.interfaceId());
  }

  static GidEntry readEntry(long at) {
    return new GidEntry(
        read(at),
        RawMemory.getInt(at + GID_INDEX),
        RawMemory.getInt(at + PORT_NUM),
        VerbsConstant.of(GidType.class, RawMemory.getInt(at + GID_TYPE)).orElse(GidType.IB),
        RawMemory.getInt(at + NDEV_IFINDEX));
  }

  static long fromBigEndian(long value) {
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return isLittle ? Long.reverseBytes(value) : value;
  }
}

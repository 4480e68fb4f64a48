// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.VerbsConstant;
import java.lang.foreign.Arena;
import java.util.Optional;

/** Paths, as C has them: those that ids have, and those that options set. */
final class NativePaths {
  static final int DATA_SIZE = VerbsAbi.size("ibv_path_data");

  private static final int DGID = found("dgid");
  private static final int SGID = found("sgid");
  private static final int FLOW_LABEL = found("flow_label");
  private static final int HOP_LIMIT = found("hop_limit");
  private static final int TRAFFIC_CLASS = found("traffic_class");
  private static final int PKEY = found("pkey");
  private static final int MTU = found("mtu");
  private static final int LIFE_TIME = found("packet_life_time");

  private static final int RECORD = VerbsAbi.offset("ibv_path_data.path");

  /** GMP, PRIMARY and BIDIRECTIONAL, without which the kernel does not look at a path. */
  private static final int FLAGS = 1 | 1 << 1 | 1 << 3 | 1 << 5;

  /** A selector of "exactly", in the upper bits of a field of a record. */
  private static final int EXACTLY = 2 << 6;

  private static final int REVERSIBLE_AND_ONE_PATH = 0x81;

  private NativePaths() {}

  private static int found(String field) {
    return VerbsAbi.offset("ibv_sa_path_rec." + field);
  }

  /** The first path of {@code ibv_sa_path_rec}; empty if there is none. */
  static Optional<RdmaPath> read(long at, int count) {
    if (at == 0 || count == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new RdmaPath(
            Gids.read(at + SGID),
            Gids.read(at + DGID),
            VerbsConstant.of(Mtu.class, RawMemory.getByte(at + MTU)).orElse(Mtu.MTU_1024),
            RawMemory.getByte(at + PKEY) << Byte.SIZE | RawMemory.getByte(at + PKEY + 1),
            RawMemory.networkOrder(RawMemory.getInt(at + FLOW_LABEL)),
            RawMemory.getByte(at + TRAFFIC_CLASS),
            RawMemory.getByte(at + HOP_LIMIT),
            RawMemory.getByte(at + LIFE_TIME)));
  }

  private static int record(String field) {
    return RECORD + VerbsAbi.offset("ibv_path_record." + field);
  }

  /** Where a path is written to memory of the arena, as {@code ibv_path_data}. */
  static long write(Arena arena, RdmaPath path) {
    long at = RawMemory.allocate(arena, DATA_SIZE);
    RawMemory.putInt(at, FLAGS);
    Gids.write(at + record("dgid"), path.dgid());
    Gids.write(at + record("sgid"), path.sgid());
    int flow = path.flowLabel() << Byte.SIZE | path.hopLimit();
    RawMemory.putInt(at + record("flowlabel_hoplimit"), RawMemory.networkOrder(flow));
    RawMemory.putByte(at + record("tclass"), path.trafficClass());
    RawMemory.putByte(at + record("reversible_numpath"), REVERSIBLE_AND_ONE_PATH);
    RawMemory.putByte(at + record("pkey"), path.pkey() >> Byte.SIZE);
    RawMemory.putByte(at + record("pkey") + 1, path.pkey());
    RawMemory.putByte(at + record("mtu"), EXACTLY | path.mtu().code());
    RawMemory.putByte(at + record("rate"), EXACTLY);
    RawMemory.putByte(at + record("packetlifetime"), EXACTLY | path.packetLifeTime());
    return at;
  }
}

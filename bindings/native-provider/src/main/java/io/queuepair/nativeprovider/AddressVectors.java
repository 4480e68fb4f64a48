// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.VerbsException;

/** Address vectors, as C has them. */
final class AddressVectors {
  static final int SIZE = VerbsAbi.size("ibv_ah_attr");

  private static final int FLOW_LABEL = VerbsAbi.offset("ibv_global_route.flow_label");
  private static final int SGID_INDEX = VerbsAbi.offset("ibv_global_route.sgid_index");
  private static final int HOP_LIMIT = VerbsAbi.offset("ibv_global_route.hop_limit");
  private static final int TRAFFIC_CLASS = VerbsAbi.offset("ibv_global_route.traffic_class");
  private static final int SL = VerbsAbi.offset("ibv_ah_attr.sl");
  private static final int IS_GLOBAL = VerbsAbi.offset("ibv_ah_attr.is_global");
  private static final int PORT_NUM = VerbsAbi.offset("ibv_ah_attr.port_num");

  private static final int FLOW_LABEL_MASK = 0xf_ffff;

  private AddressVectors() {}

  static AhAttr read(long at) {
    GlobalRoute route = RawMemory.getByte(at + IS_GLOBAL) == 0 ? null : route(at);
    return new AhAttr(route, RawMemory.getByte(at + SL), RawMemory.getByte(at + PORT_NUM));
  }

  private static GlobalRoute route(long at) {
    return new GlobalRoute(
        Gids.read(at),
        RawMemory.getInt(at + FLOW_LABEL) & FLOW_LABEL_MASK,
        RawMemory.getByte(at + SGID_INDEX),
        RawMemory.getByte(at + HOP_LIMIT),
        RawMemory.getByte(at + TRAFFIC_CLASS));
  }

  /** Refuses numbers that the structure has no room for, with EINVAL. */
  static void check(AhAttr attr, String verb) {
    if (attr == null) {
      return;
    }
    GlobalRoute route = attr.grh();
    int bytes = attr.sl() | attr.portNum();
    if (route != null) {
      bytes |= route.sgidIndex() | route.hopLimit() | route.trafficClass();
    }
    if ((bytes & ~0xff) != 0) {
      throw new VerbsException(Errno.EINVAL, verb, "a number of " + attr + " is not 0 to 255");
    }
  }

  /** Writes one over zeros; null leaves them. */
  static void write(long at, AhAttr attr) {
    if (attr == null) {
      return;
    }
    RawMemory.putByte(at + SL, attr.sl());
    RawMemory.putByte(at + PORT_NUM, attr.portNum());
    GlobalRoute route = attr.grh();
    if (route != null) {
      RawMemory.putByte(at + IS_GLOBAL, 1);
      Gids.write(at, route.dgid());
      RawMemory.putInt(at + FLOW_LABEL, route.flowLabel());
      RawMemory.putByte(at + SGID_INDEX, route.sgidIndex());
      RawMemory.putByte(at + HOP_LIMIT, route.hopLimit());
      RawMemory.putByte(at + TRAFFIC_CLASS, route.trafficClass());
    }
  }
}

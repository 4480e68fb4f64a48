// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.GlobalRoute;
import java.nio.ByteBuffer;

/** {@code struct ibv_ah_attr}. */
final class AhAttrStruct {
  static final int SIZE = 32;

  private static final int DGID = 0;
  private static final int FLOW_LABEL = 16;
  private static final int SGID_INDEX = 20;
  private static final int HOP_LIMIT = 21;
  private static final int TRAFFIC_CLASS = 22;
  private static final int SL = 26;
  private static final int IS_GLOBAL = 29;
  private static final int PORT_NUM = 30;

  /** Bits of a flow label; Linux ignores the higher bits that programs set. */
  private static final int FLOW_LABEL_MASK = 0xfffff;

  private AhAttrStruct() {}

  static AhAttr read(ByteBuffer args, int at) {
    GlobalRoute route = args.get(at + IS_GLOBAL) == 0 ? null : route(args, at);
    return new AhAttr(route, args.get(at + SL), Byte.toUnsignedInt(args.get(at + PORT_NUM)));
  }

  private static GlobalRoute route(ByteBuffer args, int at) {
    return new GlobalRoute(
        GidStruct.get(args, at + DGID),
        args.getInt(at + FLOW_LABEL) & FLOW_LABEL_MASK,
        Byte.toUnsignedInt(args.get(at + SGID_INDEX)),
        Byte.toUnsignedInt(args.get(at + HOP_LIMIT)),
        Byte.toUnsignedInt(args.get(at + TRAFFIC_CLASS)));
  }

  /** Writes an address; zeros if it is null. */
  static void write(ByteBuffer args, int at, AhAttr attr) {
    Args.clear(args, at, SIZE);
    if (attr == null) {
      return;
    }
    args.put(at + SL, (byte) attr.sl());
    args.put(at + PORT_NUM, (byte) attr.portNum());
    GlobalRoute route = attr.grh();
    if (route != null) {
      args.put(at + IS_GLOBAL, (byte) 1);
      GidStruct.put(args, at + DGID, route.dgid());
      args.putInt(at + FLOW_LABEL, route.flowLabel());
      args.put(at + SGID_INDEX, (byte) route.sgidIndex());
      args.put(at + HOP_LIMIT, (byte) route.hopLimit());
      args.put(at + TRAFFIC_CLASS, (byte) route.trafficClass());
    }
  }
}

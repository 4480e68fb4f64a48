// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** {@code struct rdma_ucm_query_route_resp}, with {@code struct ib_user_path_rec}. */
final class RdmaRouteStruct {
  /** Size without the index of the device, by which librdmacm would look the device up in sysfs. */
  static final int SIZE = 200;

  private static final int NODE_GUID = 0;
  private static final int PATH = 8;
  private static final int SRC_ADDR = 136;
  private static final int DST_ADDR = 164;
  private static final int NUM_PATHS = 192;
  private static final int PORT_NUM = 196;

  private static final int DGID = 0;
  private static final int SGID = 16;
  private static final int FLOW_LABEL = 40;
  private static final int REVERSIBLE = 44;
  private static final int MTU = 48;
  private static final int PKEY = 52;
  private static final int HOP_LIMIT = 54;
  private static final int TRAFFIC_CLASS = 55;
  private static final int NUMB_PATH = 56;
  private static final int MTU_SELECTOR = 58;
  private static final int RATE_SELECTOR = 59;
  private static final int LIFE_TIME_SELECTOR = 61;
  private static final int LIFE_TIME = 62;

  /** Exactly the value, not at least or at most (IBTA, SA PathRecord). */
  private static final byte EXACTLY = 2;

  private RdmaRouteStruct() {}

  static void write(ByteBuffer args, int at, RdmaCmId id) {
    Args.clear(args, at, SIZE);
    if (id.verbs() != null) {
      args.putLong(at + NODE_GUID, networkOrder(id.verbs().device().guid()));
      args.put(at + PORT_NUM, (byte) id.portNum());
    }
    SockaddrStruct.write(args, at + SRC_ADDR, id.localAddr());
    SockaddrStruct.write(args, at + DST_ADDR, id.peerAddr());
    Optional<RdmaPath> path = id.route();
    args.putInt(at + NUM_PATHS, path.isPresent() ? 1 : 0);
    path.ifPresent(route -> write(args, at + PATH, route));
  }

  private static void write(ByteBuffer args, int at, RdmaPath path) {
    GidStruct.put(args, at + DGID, path.dgid());
    GidStruct.put(args, at + SGID, path.sgid());
    args.put(at + FLOW_LABEL, ByteBuffer.allocate(4).putInt(0, path.flowLabel()).array());
    args.putInt(at + REVERSIBLE, 1);
    args.putInt(at + MTU, path.mtu().code());
    args.put(at + PKEY, (byte) (path.pkey() >>> 8)).put(at + PKEY + 1, (byte) path.pkey());
    args.put(at + HOP_LIMIT, (byte) path.hopLimit());
    args.put(at + TRAFFIC_CLASS, (byte) path.trafficClass());
    args.put(at + NUMB_PATH, (byte) 1);
    args.put(at + MTU_SELECTOR, EXACTLY);
    args.put(at + RATE_SELECTOR, EXACTLY);
    args.put(at + LIFE_TIME_SELECTOR, EXACTLY);
    args.put(at + LIFE_TIME, (byte) path.packetLifeTime());
  }

  /** Converts a number to one whose bytes in memory are in network order. */
  private static long networkOrder(long number) {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? number : Long.reverseBytes(number);
  }
}

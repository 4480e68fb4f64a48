// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoException;
import io.queuepair.rdmacm.RdmaAddrinfoException.Reason;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Addresses that are looked for and found, as C has them. */
final class NativeAddrinfo {
  private static final String LOOK_UP = "rdma_getaddrinfo";

  /** More than the structure has, for members of later versions. */
  private static final int ROOM = 2 * VerbsAbi.size("rdma_addrinfo");

  private static final int FLAGS = offset("ai_flags");
  private static final int FAMILY = offset("ai_family");
  private static final int QP_TYPE = offset("ai_qp_type");
  private static final int PORT_SPACE = offset("ai_port_space");
  private static final int SRC_LEN = offset("ai_src_len");
  private static final int DST_LEN = offset("ai_dst_len");
  private static final int SRC_ADDR = offset("ai_src_addr");
  private static final int DST_ADDR = offset("ai_dst_addr");
  private static final int SRC_NAME = offset("ai_src_canonname");
  private static final int DST_NAME = offset("ai_dst_canonname");
  private static final int NEXT = offset("ai_next");

  private static final int NAME_ROOM = 256;

  private NativeAddrinfo() {}

  private static int offset(String field) {
    return VerbsAbi.offset("rdma_addrinfo." + field);
  }

  static List<RdmaAddrinfo> lookUp(String node, String service, RdmaAddrinfo hints) {
    RdmaAddrinfo wanted = hints == null ? RdmaAddrinfo.hints(RdmaPortSpace.TCP) : hints;
    if (wanted.flags().contains(RdmaAddrinfoFlag.SA)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, LOOK_UP, "there is no subnet administrator to ask for names");
    }
    boolean isAnywhere =
        node == null && service == null && wanted.isPassive() && wanted.srcAddr() == null;
    try (Arena arena = Arena.ofConfined()) {
      long list = RawMemory.allocate(arena, Long.BYTES);
      long status =
          Librdmacm.GETADDRINFO.value(
              textAt(arena, node),
              textAt(arena, isAnywhere ? "0" : service),
              hints == null ? 0 : write(arena, wanted, LOOK_UP),
              list);
      if (status != 0) {
        throw refusal((int) status, node, service);
      }
      return readAndFree(RawMemory.getLong(list), node);
    }
  }

  /** A text of C; 0 for null. */
  static long textAt(Arena arena, String text) {
    return text == null ? 0 : arena.allocateFrom(text).address();
  }

  /** The values of {@code EAI_*}; -1 says that there is an errno. */
  private static VerbsException refusal(int status, String node, String service) {
    if (status == -1) {
      return Librdmacm.GETADDRINFO.refusal(ControlFunction.lastErrno());
    }
    for (Reason reason : Reason.values()) {
      if (reason.code() == status) {
        String what = reason == Reason.SERVICE ? "the service " + service : "the node " + node;
        return new RdmaAddrinfoException(
            reason, Errno.EINVAL, what + " has no address, EAI_" + reason);
      }
    }
    String why = "the node " + node + " has no address, status " + status;
    return new RdmaAddrinfoException(Reason.NONAME, Errno.EINVAL, why);
  }

  /** Where one is written to memory of the arena. */
  static long write(Arena arena, RdmaAddrinfo info, String verb) {
    long at = RawMemory.allocate(arena, ROOM);
    RdmaPortSpace space = spaceOf(info);
    RawMemory.putInt(at + FLAGS, VerbsConstant.mask(info.flags()));
    RawMemory.putInt(at + QP_TYPE, typeOf(info).code());
    RawMemory.putInt(at + PORT_SPACE, space.code());
    RawMemory.putLong(at + SRC_ADDR, SocketAddresses.write(arena, info.srcAddr(), verb));
    RawMemory.putLong(at + DST_ADDR, SocketAddresses.write(arena, info.dstAddr(), verb));
    RawMemory.putInt(at + SRC_LEN, sizeOf(info.srcAddr()));
    RawMemory.putInt(at + DST_LEN, sizeOf(info.dstAddr()));
    InetSocketAddress example = info.srcAddr() == null ? info.dstAddr() : info.srcAddr();
    boolean hasFamily = info.flags().contains(RdmaAddrinfoFlag.FAMILY) && example != null;
    RawMemory.putInt(at + FAMILY, hasFamily ? SocketAddresses.familyOf(example) : 0);
    return at;
  }

  private static int sizeOf(InetSocketAddress address) {
    return address == null ? 0 : SocketAddresses.sizeOf(address);
  }

  static RdmaPortSpace spaceOf(RdmaAddrinfo info) {
    return info.portSpace() == null ? RdmaPortSpace.TCP : info.portSpace();
  }

  static QpType typeOf(RdmaAddrinfo info) {
    if (info.qpType() != null) {
      return info.qpType();
    }
    return spaceOf(info).isDatagram() ? QpType.UD : QpType.RC;
  }

  /** Reads a list, and frees it. Where C has no name for the node, it is the one looked up. */
  static List<RdmaAddrinfo> readAndFree(long list, String node) {
    List<RdmaAddrinfo> found = new ArrayList<>();
    for (long at = list; at != 0; at = RawMemory.getLong(at + NEXT)) {
      found.add(read(at, node == null ? "" : node));
    }
    Librdmacm.FREEADDRINFO.value(list);
    return List.copyOf(found);
  }

  private static RdmaAddrinfo read(long at, String node) {
    int flags = RawMemory.getInt(at + FLAGS);
    boolean isPassive = (flags & RdmaAddrinfoFlag.PASSIVE.code()) != 0;
    long name = RawMemory.getLong(at + (isPassive ? SRC_NAME : DST_NAME));
    return new RdmaAddrinfo(
        VerbsConstant.flags(RdmaAddrinfoFlag.class, flags),
        VerbsConstant.of(QpType.class, RawMemory.getInt(at + QP_TYPE)).orElse(null),
        VerbsConstant.of(RdmaPortSpace.class, RawMemory.getInt(at + PORT_SPACE)).orElse(null),
        SocketAddresses.read(RawMemory.getLong(at + SRC_ADDR)),
        SocketAddresses.read(RawMemory.getLong(at + DST_ADDR)),
        name == 0 ? node : RawMemory.getText(name, NAME_ROOM));
  }
}

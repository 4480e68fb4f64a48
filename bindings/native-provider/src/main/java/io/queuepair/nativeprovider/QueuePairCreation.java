// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Creates queue pairs of all kinds. */
final class QueuePairCreation {
  private static final int SIZE = VerbsAbi.size("ibv_qp_init_attr");
  private static final int EXTENDED_SIZE = VerbsAbi.size("ibv_qp_init_attr_ex");
  private static final int SEND_CQ = VerbsAbi.offset("ibv_qp_init_attr.send_cq");
  private static final int RECV_CQ = VerbsAbi.offset("ibv_qp_init_attr.recv_cq");
  private static final int SRQ = VerbsAbi.offset("ibv_qp_init_attr.srq");
  private static final int CAP = VerbsAbi.offset("ibv_qp_init_attr.cap");
  private static final int QP_TYPE = VerbsAbi.offset("ibv_qp_init_attr.qp_type");
  private static final int SQ_SIG_ALL = VerbsAbi.offset("ibv_qp_init_attr.sq_sig_all");
  private static final int COMP_MASK = extended("comp_mask");
  private static final int PD = extended("pd");
  private static final int XRCD = extended("xrcd");
  private static final int CREATE_FLAGS = extended("create_flags");
  private static final int MAX_TSO_HEADER = extended("max_tso_header");
  private static final int SEND_OPS_FLAGS = extended("send_ops_flags");

  private static final String CREATE = "ibv_create_qp";
  private static final int MAX_SHORT = 0xffff;

  /** Fields with pointers to what this provider does not make, at which the library would look. */
  private static final Set<QpInitAttrMask> NOT_OFFERED =
      EnumSet.of(QpInitAttrMask.XRCD, QpInitAttrMask.IND_TABLE, QpInitAttrMask.RX_HASH);

  private QueuePairCreation() {}

  private static int extended(String field) {
    return VerbsAbi.offset("ibv_qp_init_attr_ex." + field);
  }

  static QueuePair create(NativeProtectionDomain pd, QpInitAttr attr) {
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, SIZE);
      writeBase(init, pd, attr);
      long qp = Libibverbs.CREATE_QP.pointer(pd.address(), init);
      QpInitAttr granted = attr.withCap(granted(attr, init));
      return pd.context().keep(new NativeQueuePair(pd.context(), qp, pd, granted));
    }
  }

  static NativeExtendedQueuePair createExtended(NativeProtectionDomain pd, QpInitAttrEx attr) {
    NativeContext context = pd.context();
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, EXTENDED_SIZE);
      write(init, pd, attr);
      boolean isPlain = attr.compMask().equals(Set.of(QpInitAttrMask.PD));
      long qp =
          isPlain
              ? Libibverbs.CREATE_QP.pointer(pd.address(), init)
              : context.functions().createQpEx.pointer(context.address(), init);
      return context.keep(new NativeExtendedQueuePair(pd, qp, granted(attr, init)));
    }
  }

  private static void write(long init, NativeProtectionDomain pd, QpInitAttrEx attr) {
    if (!Collections.disjoint(attr.compMask(), NOT_OFFERED)) {
      throw new VerbsException(Errno.EOPNOTSUPP, CREATE, attr.compMask() + " is not offered");
    }
    int header = attr.maxTsoHeader();
    if (header < 0 || header > MAX_SHORT) {
      throw new VerbsException(Errno.EINVAL, CREATE, "headers of " + header + " bytes");
    }
    writeBase(init, pd, attr.base());
    RawMemory.putInt(init + COMP_MASK, VerbsConstant.mask(attr.compMask()));
    RawMemory.putLong(init + PD, pd.address());
    RawMemory.putInt(init + CREATE_FLAGS, VerbsConstant.mask(attr.createFlags()));
    RawMemory.putShort(init + MAX_TSO_HEADER, header);
    RawMemory.putLong(init + SEND_OPS_FLAGS, mask(attr.sendOpsFlags()));
  }

  private static QpInitAttrEx granted(QpInitAttrEx attr, long init) {
    return attr.withBase(attr.base().withCap(granted(attr.base(), init)));
  }

  /**
   * Creates that of an id of the connection manager, which keeps it in its structure at an offset.
   */
  static NativeQueuePair createOn(
      long id, int offset, NativeProtectionDomain pd, QpInitAttrEx attr) {
    NativeContext context = pd.context();
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, EXTENDED_SIZE);
      write(init, pd, attr);
      RawMemory.putInt(init + COMP_MASK, maskWithPd(attr));
      Librdmacm.CREATE_QP_EX.status(id, init);
      long qp = RawMemory.getLong(id + offset);
      return context.keep(
          attr.base().qpType() == QpType.XRC_RECV
              ? new NativeQueuePair(context, qp, null, target())
              : new NativeExtendedQueuePair(pd, qp, granted(attr, init)));
    }
  }

  private static int maskWithPd(QpInitAttrEx attr) {
    return VerbsConstant.mask(attr.compMask()) | QpInitAttrMask.PD.code();
  }

  private static long mask(Set<SendOpsFlag> flags) {
    return Integer.toUnsignedLong(VerbsConstant.mask(flags));
  }

  static QueuePair createTarget(NativeXrcDomain xrcd) {
    NativeContext context = xrcd.context();
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, EXTENDED_SIZE);
      RawMemory.putInt(init + QP_TYPE, QpType.XRC_RECV.code());
      RawMemory.putInt(init + COMP_MASK, QpInitAttrMask.XRCD.code());
      RawMemory.putLong(init + XRCD, xrcd.address());
      long qp = context.functions().createQpEx.pointer(context.address(), init);
      return context.keep(new NativeQueuePair(context, qp, null, target()));
    }
  }

  /** Attributes of a target queue pair, which has no queues of its own. */
  static QpInitAttr target() {
    return new QpInitAttr(QpType.XRC_RECV, null, null, null, new QpCap(0, 0, 0, 0, 0), false);
  }

  /** The library reads the handles of queues that a type has without looking for NULL. */
  private static void writeBase(long at, NativeProtectionDomain pd, QpInitAttr attr) {
    boolean sends = attr.qpType() != QpType.XRC_RECV;
    boolean receives = sends && attr.qpType() != QpType.XRC_SEND;
    RawMemory.putLong(at + SEND_CQ, queue(pd, attr.sendCq(), sends));
    RawMemory.putLong(at + RECV_CQ, queue(pd, attr.recvCq(), receives));
    RawMemory.putLong(at + SRQ, pd.addressOrNull(attr.srq(), CREATE));
    NativeQpAttr.writeCap(at + CAP, attr.cap());
    RawMemory.putInt(at + QP_TYPE, attr.qpType() == null ? 0 : attr.qpType().code());
    RawMemory.putInt(at + SQ_SIG_ALL, attr.sqSigAll() ? 1 : 0);
  }

  private static long queue(NativeProtectionDomain pd, CompletionQueue cq, boolean isNeeded) {
    return isNeeded ? pd.addressOf(cq, CREATE) : pd.addressOrNull(cq, CREATE);
  }

  /** The capacities that the library left; those of receives are as asked for beside an SRQ. */
  private static QpCap granted(QpInitAttr attr, long init) {
    QpCap cap = NativeQpAttr.readCap(init + CAP);
    if (attr.srq() == null) {
      return cap;
    }
    QpCap asked = attr.cap();
    return new QpCap(
        cap.maxSendWr(),
        asked.maxRecvWr(),
        cap.maxSendSge(),
        asked.maxRecvSge(),
        cap.maxInlineData());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.RxHashConf;
import io.queuepair.verbs.RxHashField;
import io.queuepair.verbs.RxHashFunction;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.util.Set;

/** Calls of C to queue pairs and shared receive queues. */
final class QueuePairEntries {
  private static final int CAP = 32;
  private static final int QP_TYPE = 52;
  private static final int SQ_SIG_ALL = 56;
  private static final int COMP_MASK = 60;
  private static final int CREATE_FLAGS = 80;
  private static final int MAX_TSO_HEADER = 84;
  private static final int RX_HASH_FUNCTION = 96;
  private static final int RX_HASH_KEY_LEN = 97;
  private static final int RX_HASH_FIELDS_MASK = 112;
  private static final int SEND_OPS_FLAGS = 128;

  /** Offset of the hash key, which follows the attributes. */
  private static final int RX_HASH_KEY = 136;

  private static final int OPEN_COMP_MASK = 0;
  private static final int OPEN_QP_NUM = 4;
  private static final int OPEN_QP_TYPE = 24;

  /** Bits of comp_mask for number, XRC domain and type; OPEN_KNOWN adds the context. */
  private static final int OPEN_NEEDED = 0xb;

  private static final int OPEN_KNOWN = 0xf;

  private static final int SGE_BYTES = 16;

  /** Entries that count as inline room; more would exceed max_inline_data of every profile. */
  private static final int ENTRIES_WITH_INLINE_ROOM = 32;

  private QueuePairEntries() {}

  static long createSrq(long pd, ByteBuffer args) {
    ProtectionDomain domain = Handles.get(pd, ProtectionDomain.class);
    XrcDomain xrcd = Handles.getOrNull(Args.slot(args, 1), XrcDomain.class);
    SrqAttr attr = readSrqAttr(args);
    SharedReceiveQueue srq =
        xrcd == null
            ? domain.createSrq(attr)
            : xrcd.createSrq(domain, CompletionEntries.queueOrNull(Args.slot(args, 2)), attr);
    EventTargets.put(srq, args);
    Args.setSlot(args, 0, xrcd == null ? -1 : srq.srqNum());
    writeSrqAttr(args, srq.query());
    return Handles.add(srq);
  }

  private static SrqAttr readSrqAttr(ByteBuffer args) {
    return new SrqAttr(
        args.getInt(Args.BYTES), args.getInt(Args.BYTES + 4), args.getInt(Args.BYTES + 8));
  }

  private static void writeSrqAttr(ByteBuffer args, SrqAttr attr) {
    args.putInt(Args.BYTES, attr.maxWr());
    args.putInt(Args.BYTES + 4, attr.maxSge());
    args.putInt(Args.BYTES + 8, attr.srqLimit());
  }

  static void modifySrq(long srq, ByteBuffer args) {
    Set<SrqAttrMask> mask = CValues.flags(SrqAttrMask.class, Args.slot(args, 0));
    Handles.get(srq, SharedReceiveQueue.class).modify(readSrqAttr(args), mask);
  }

  static void querySrq(long srq, ByteBuffer args) {
    writeSrqAttr(args, Handles.get(srq, SharedReceiveQueue.class).query());
  }

  static long createQp(long context, ByteBuffer args) {
    QpType type = CValues.one("qp_type", QpType.class, args.getInt(Args.BYTES + QP_TYPE));
    QueuePair qp = type == QpType.XRC_RECV ? createTarget(args) : create(args, type);
    EventTargets.put(qp, args);
    Args.setSlot(args, 0, qp.qpNum());
    if (type != QpType.XRC_RECV) {
      QpAttrStruct.writeCap(args, Args.BYTES, qp.initAttr().cap());
    }
    return Handles.add(qp);
  }

  private static QueuePair createTarget(ByteBuffer args) {
    QueuePair target = xrcd(args).createQp();
    QpAttrStruct.writeCap(args, Args.BYTES, QpCap.of(0));
    return target;
  }

  private static XrcDomain xrcd(ByteBuffer args) {
    return Handles.get(Args.slot(args, 5), XrcDomain.class);
  }

  private static QueuePair create(ByteBuffer args, QpType type) {
    Set<QpInitAttrMask> mask =
        CValues.flags(
            QpInitAttrMask.class, Integer.toUnsignedLong(args.getInt(Args.BYTES + COMP_MASK)));
    ProtectionDomain pd = Handles.get(Args.slot(args, 1), ProtectionDomain.class);
    QpInitAttr attr =
        new QpInitAttr(
            type,
            CompletionEntries.queueOrNull(Args.slot(args, 2)),
            CompletionEntries.queueOrNull(Args.slot(args, 3)),
            Handles.getOrNull(Args.slot(args, 4), SharedReceiveQueue.class),
            withInlineRoom(QpAttrStruct.readCap(args, Args.BYTES + CAP)),
            args.getInt(Args.BYTES + SQ_SIG_ALL) != 0);
    if (mask.equals(Set.of(QpInitAttrMask.PD))) {
      return pd.createQp(attr);
    }
    return pd.createQpEx(
        new QpInitAttrEx(
            attr,
            mask,
            operations(args, mask),
            properties(args, mask),
            tso(args),
            Handles.getOrNull(Args.slot(args, 6), RwqIndTable.class),
            mask.contains(QpInitAttrMask.RX_HASH) ? hash(args) : null));
  }

  /**
   * Raises max_inline_data to the size of the scatter/gather entries, whose place Linux drivers use
   * for inline data. Programs such as rdma_xclient rely on that room without asking for it.
   */
  private static QpCap withInlineRoom(QpCap asked) {
    int room = Math.min(asked.maxSendSge(), ENTRIES_WITH_INLINE_ROOM) * SGE_BYTES;
    if (Integer.compareUnsigned(asked.maxInlineData(), room) >= 0) {
      return asked;
    }
    return new QpCap(
        asked.maxSendWr(), asked.maxRecvWr(), asked.maxSendSge(), asked.maxRecvSge(), room);
  }

  private static Set<SendOpsFlag> operations(ByteBuffer args, Set<QpInitAttrMask> mask) {
    if (!mask.contains(QpInitAttrMask.SEND_OPS_FLAGS)) {
      return Set.of();
    }
    return CValues.flags(SendOpsFlag.class, args.getLong(Args.BYTES + SEND_OPS_FLAGS));
  }

  private static Set<QpCreateFlag> properties(ByteBuffer args, Set<QpInitAttrMask> mask) {
    return mask.contains(QpInitAttrMask.CREATE_FLAGS)
        ? CValues.flags(
            QpCreateFlag.class, Integer.toUnsignedLong(args.getInt(Args.BYTES + CREATE_FLAGS)))
        : Set.of();
  }

  private static RxHashConf hash(ByteBuffer args) {
    int function = Byte.toUnsignedInt(args.get(Args.BYTES + RX_HASH_FUNCTION));
    int keyLength = Byte.toUnsignedInt(args.get(Args.BYTES + RX_HASH_KEY_LEN));
    return new RxHashConf(
        CValues.one("rx_hash_function", RxHashFunction.class, function),
        args.slice(Args.BYTES + RX_HASH_KEY, keyLength),
        CValues.flags(RxHashField.class, args.getLong(Args.BYTES + RX_HASH_FIELDS_MASK)));
  }

  private static int tso(ByteBuffer args) {
    return Short.toUnsignedInt(args.getShort(Args.BYTES + MAX_TSO_HEADER));
  }

  static long openQp(long context, ByteBuffer args) {
    int mask = args.getInt(Args.BYTES + OPEN_COMP_MASK);
    if ((mask & OPEN_NEEDED) != OPEN_NEEDED || (mask & ~OPEN_KNOWN) != 0) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_open_qp", "comp_mask " + Integer.toHexString(mask));
    }
    QpOpenAttr attr =
        new QpOpenAttr(
            Handles.get(Args.slot(args, 1), XrcDomain.class),
            args.getInt(Args.BYTES + OPEN_QP_NUM),
            CValues.one("qp_type", QpType.class, args.getInt(Args.BYTES + OPEN_QP_TYPE)));
    QueuePair qp = Handles.get(context, Context.class).openQp(attr);
    EventTargets.put(qp, args);
    Args.setSlot(args, 0, qp.qpNum());
    return Handles.add(qp);
  }

  static void modifyQp(long handle, ByteBuffer args) {
    Set<QpAttrMask> mask =
        CValues.flags(QpAttrMask.class, Integer.toUnsignedLong(Args.intSlot(args, 0)));
    QpAttr attr = QpAttrStruct.read(args, Args.BYTES, mask);
    Handles.get(handle, QueuePair.class).modify(attr, mask);
  }

  static void queryQp(long handle, ByteBuffer args) {
    QueuePair qp = Handles.get(handle, QueuePair.class);
    QpAttr attr = qp.query();
    QpAttrStruct.write(args, Args.BYTES, attr);
    Args.setSlot(args, 0, qp.initAttr().sqSigAll() ? 1 : 0);
  }

  static void limitRate(long handle, ByteBuffer args) {
    QpRateLimitAttr attr =
        new QpRateLimitAttr(
            args.getInt(Args.BYTES),
            args.getInt(Args.BYTES + 4),
            Short.toUnsignedInt(args.getShort(Args.BYTES + 8)));
    Handles.get(handle, QueuePair.class).modifyRateLimit(attr);
  }

  static void attachMcast(long handle, ByteBuffer args) {
    Handles.get(handle, QueuePair.class).attachMcast(group(args));
  }

  static void detachMcast(long handle, ByteBuffer args) {
    Handles.get(handle, QueuePair.class).detachMcast(group(args));
  }

  private static Gid group(ByteBuffer args) {
    return GidStruct.get(args, Args.BYTES);
  }
}

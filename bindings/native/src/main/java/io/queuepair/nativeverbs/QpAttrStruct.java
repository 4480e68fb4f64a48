// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsConstant;
import java.nio.ByteBuffer;
import java.util.Set;

/** {@code struct ibv_qp_attr}. Members that the mask does not name may be uninitialized. */
final class QpAttrStruct {
  private static final int SIZE = 144;

  private static final int QP_STATE = 0;
  private static final int CUR_QP_STATE = 4;
  private static final int PATH_MTU = 8;
  private static final int PATH_MIG_STATE = 12;
  private static final int QKEY = 16;
  private static final int RQ_PSN = 20;
  private static final int SQ_PSN = 24;
  private static final int DEST_QP_NUM = 28;
  private static final int QP_ACCESS_FLAGS = 32;
  private static final int CAP = 36;
  private static final int AH_ATTR = 56;
  private static final int ALT_AH_ATTR = 88;
  private static final int PKEY_INDEX = 120;
  private static final int ALT_PKEY_INDEX = 122;
  private static final int EN_SQD_ASYNC_NOTIFY = 124;
  private static final int SQ_DRAINING = 125;
  private static final int MAX_RD_ATOMIC = 126;
  private static final int MAX_DEST_RD_ATOMIC = 127;
  private static final int MIN_RNR_TIMER = 128;
  private static final int PORT_NUM = 129;
  private static final int TIMEOUT = 130;
  private static final int RETRY_CNT = 131;
  private static final int RNR_RETRY = 132;
  private static final int ALT_PORT_NUM = 133;
  private static final int ALT_TIMEOUT = 134;
  private static final int RATE_LIMIT = 136;

  private QpAttrStruct() {}

  /** Reads the attributes that a mask names. */
  static QpAttr read(ByteBuffer args, int at, Set<QpAttrMask> mask) {
    QpAttr attr = new QpAttr();
    mask.forEach(attribute -> read(args, at, attribute, attr));
    return attr;
  }

  private static void read(ByteBuffer args, int at, QpAttrMask attribute, QpAttr into) {
    switch (attribute) {
      case STATE ->
          into.qpState(CValues.one("qp_state", QpState.class, args.getInt(at + QP_STATE)));
      case CUR_STATE ->
          into.curQpState(
              CValues.one("cur_qp_state", QpState.class, args.getInt(at + CUR_QP_STATE)));
      case EN_SQD_ASYNC_NOTIFY -> into.enSqdAsyncNotify(args.get(at + EN_SQD_ASYNC_NOTIFY) != 0);
      case ACCESS_FLAGS -> into.qpAccessFlags(CValues.access(args.getInt(at + QP_ACCESS_FLAGS)));
      case PKEY_INDEX -> into.pkeyIndex(unsignedShort(args, at + PKEY_INDEX));
      case PORT -> into.portNum(unsignedByte(args, at + PORT_NUM));
      case QKEY -> into.qkey(args.getInt(at + QKEY));
      case AV -> into.ahAttr(AhAttrStruct.read(args, at + AH_ATTR));
      case PATH_MTU -> into.pathMtu(CValues.one("path_mtu", Mtu.class, args.getInt(at + PATH_MTU)));
      case TIMEOUT -> into.timeout(unsignedByte(args, at + TIMEOUT));
      case RETRY_CNT -> into.retryCnt(unsignedByte(args, at + RETRY_CNT));
      case RNR_RETRY -> into.rnrRetry(unsignedByte(args, at + RNR_RETRY));
      case RQ_PSN -> into.rqPsn(args.getInt(at + RQ_PSN));
      case MAX_QP_RD_ATOMIC -> into.maxRdAtomic(unsignedByte(args, at + MAX_RD_ATOMIC));
      case ALT_PATH -> into.altPath(alternate(args, at));
      case MIN_RNR_TIMER -> into.minRnrTimer(unsignedByte(args, at + MIN_RNR_TIMER));
      case SQ_PSN -> into.sqPsn(args.getInt(at + SQ_PSN));
      case MAX_DEST_RD_ATOMIC -> into.maxDestRdAtomic(unsignedByte(args, at + MAX_DEST_RD_ATOMIC));
      case PATH_MIG_STATE ->
          into.pathMigState(
              CValues.one("path_mig_state", MigState.class, args.getInt(at + PATH_MIG_STATE)));
      case CAP -> into.cap(readCap(args, at + CAP));
      case DEST_QPN -> into.destQpNum(args.getInt(at + DEST_QP_NUM));
      case RATE_LIMIT -> into.rateLimit(args.getInt(at + RATE_LIMIT));
    }
  }

  private static AlternatePath alternate(ByteBuffer args, int at) {
    return new AlternatePath(
        AhAttrStruct.read(args, at + ALT_AH_ATTR),
        unsignedShort(args, at + ALT_PKEY_INDEX),
        unsignedByte(args, at + ALT_PORT_NUM),
        unsignedByte(args, at + ALT_TIMEOUT));
  }

  static QpCap readCap(ByteBuffer args, int at) {
    return new QpCap(
        args.getInt(at),
        args.getInt(at + 4),
        args.getInt(at + 8),
        args.getInt(at + 12),
        args.getInt(at + 16));
  }

  static void writeCap(ByteBuffer args, int at, QpCap cap) {
    args.putInt(at, cap.maxSendWr());
    args.putInt(at + 4, cap.maxRecvWr());
    args.putInt(at + 8, cap.maxSendSge());
    args.putInt(at + 12, cap.maxRecvSge());
    args.putInt(at + 16, cap.maxInlineData());
  }

  static void write(ByteBuffer args, int at, QpAttr attr) {
    Args.clear(args, at, SIZE);
    writeShared(args, at, attr);
    if (attr.cap() != null) {
      writeCap(args, at + CAP, attr.cap());
    }
    AhAttrStruct.write(args, at + AH_ATTR, attr.ahAttr());
    args.put(at + EN_SQD_ASYNC_NOTIFY, (byte) (attr.enSqdAsyncNotify() ? 1 : 0));
    args.put(at + SQ_DRAINING, (byte) (attr.sqDraining() ? 1 : 0));
    args.putInt(at + RATE_LIMIT, attr.rateLimit());
    writeAlternate(args, at, attr.altPath());
  }

  /** Writes the members that {@code struct ib_uverbs_qp_attr} has at the same distances. */
  static void writeShared(ByteBuffer args, int at, QpAttr attr) {
    args.putInt(at + QP_STATE, codeOf(attr.qpState()));
    args.putInt(at + CUR_QP_STATE, codeOf(attr.curQpState()));
    args.putInt(at + PATH_MTU, codeOf(attr.pathMtu()));
    args.putInt(at + PATH_MIG_STATE, codeOf(attr.pathMigState()));
    args.putInt(at + QKEY, attr.qkey());
    args.putInt(at + RQ_PSN, attr.rqPsn());
    args.putInt(at + SQ_PSN, attr.sqPsn());
    args.putInt(at + DEST_QP_NUM, attr.destQpNum());
    args.putInt(at + QP_ACCESS_FLAGS, VerbsConstant.mask(attr.qpAccessFlags()));
    args.putShort(at + PKEY_INDEX, (short) attr.pkeyIndex());
    args.put(at + MAX_RD_ATOMIC, (byte) attr.maxRdAtomic());
    args.put(at + MAX_DEST_RD_ATOMIC, (byte) attr.maxDestRdAtomic());
    args.put(at + MIN_RNR_TIMER, (byte) attr.minRnrTimer());
    args.put(at + PORT_NUM, (byte) attr.portNum());
    args.put(at + TIMEOUT, (byte) attr.timeout());
    args.put(at + RETRY_CNT, (byte) attr.retryCnt());
    args.put(at + RNR_RETRY, (byte) attr.rnrRetry());
  }

  private static int codeOf(VerbsConstant constant) {
    return constant == null ? 0 : constant.code();
  }

  private static void writeAlternate(ByteBuffer args, int at, AlternatePath path) {
    if (path == null) {
      return;
    }
    AhAttrStruct.write(args, at + ALT_AH_ATTR, path.ahAttr());
    args.putShort(at + ALT_PKEY_INDEX, (short) path.pkeyIndex());
    args.put(at + ALT_PORT_NUM, (byte) path.portNum());
    args.put(at + ALT_TIMEOUT, (byte) path.timeout());
  }

  private static int unsignedByte(ByteBuffer args, int at) {
    return Byte.toUnsignedInt(args.get(at));
  }

  private static int unsignedShort(ByteBuffer args, int at) {
    return Short.toUnsignedInt(args.getShort(at));
  }
}

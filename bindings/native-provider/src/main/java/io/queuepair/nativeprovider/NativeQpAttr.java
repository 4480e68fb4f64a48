// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.util.Set;

/** Attributes of queue pairs, as C has them. */
final class NativeQpAttr {
  static final int SIZE = VerbsAbi.size("ibv_qp_attr");

  private static final String MODIFY = "ibv_modify_qp";
  private static final int MAX_BYTE = 0xff;

  /** All attributes. Soft-RoCE and most others fill in all, whatever the mask. */
  static final int ALL = VerbsConstant.mask(Set.of(QpAttrMask.values()));

  private static final int QP_STATE = offset("qp_state");
  private static final int CUR_QP_STATE = offset("cur_qp_state");
  private static final int PATH_MTU = offset("path_mtu");
  private static final int PATH_MIG_STATE = offset("path_mig_state");
  private static final int QKEY = offset("qkey");
  private static final int RQ_PSN = offset("rq_psn");
  private static final int SQ_PSN = offset("sq_psn");
  private static final int DEST_QP_NUM = offset("dest_qp_num");
  private static final int QP_ACCESS_FLAGS = offset("qp_access_flags");
  private static final int CAP = offset("cap");
  private static final int AH_ATTR = offset("ah_attr");
  private static final int ALT_AH_ATTR = offset("alt_ah_attr");
  private static final int PKEY_INDEX = offset("pkey_index");
  private static final int ALT_PKEY_INDEX = offset("alt_pkey_index");
  private static final int EN_SQD_ASYNC_NOTIFY = offset("en_sqd_async_notify");
  private static final int SQ_DRAINING = offset("sq_draining");
  private static final int MAX_RD_ATOMIC = offset("max_rd_atomic");
  private static final int MAX_DEST_RD_ATOMIC = offset("max_dest_rd_atomic");
  private static final int MIN_RNR_TIMER = offset("min_rnr_timer");
  private static final int PORT_NUM = offset("port_num");
  private static final int TIMEOUT = offset("timeout");
  private static final int RETRY_CNT = offset("retry_cnt");
  private static final int RNR_RETRY = offset("rnr_retry");
  private static final int ALT_PORT_NUM = offset("alt_port_num");
  private static final int ALT_TIMEOUT = offset("alt_timeout");
  private static final int RATE_LIMIT = offset("rate_limit");

  private NativeQpAttr() {}

  private static int offset(String field) {
    return VerbsAbi.offset("ibv_qp_attr." + field);
  }

  /**
   * Writes them over zeros.
   *
   * @throws VerbsException EINVAL if one of the mask has no room in the structure
   */
  static void write(long at, QpAttr attr, Set<QpAttrMask> mask) {
    checkNumbers(attr, mask);
    RawMemory.putInt(at + QP_STATE, codeOf(attr.qpState()));
    RawMemory.putInt(at + CUR_QP_STATE, codeOf(attr.curQpState()));
    RawMemory.putInt(at + PATH_MTU, codeOf(attr.pathMtu()));
    RawMemory.putInt(at + PATH_MIG_STATE, codeOf(attr.pathMigState()));
    RawMemory.putInt(at + QKEY, attr.qkey());
    RawMemory.putInt(at + RQ_PSN, attr.rqPsn());
    RawMemory.putInt(at + SQ_PSN, attr.sqPsn());
    RawMemory.putInt(at + DEST_QP_NUM, attr.destQpNum());
    RawMemory.putInt(at + QP_ACCESS_FLAGS, VerbsConstant.mask(attr.qpAccessFlags()));
    if (attr.cap() != null) {
      writeCap(at + CAP, attr.cap());
    }
    AddressVectors.write(at + AH_ATTR, attr.ahAttr());
    RawMemory.putShort(at + PKEY_INDEX, attr.pkeyIndex());
    RawMemory.putByte(at + EN_SQD_ASYNC_NOTIFY, attr.enSqdAsyncNotify() ? 1 : 0);
    RawMemory.putByte(at + MAX_RD_ATOMIC, attr.maxRdAtomic());
    RawMemory.putByte(at + MAX_DEST_RD_ATOMIC, attr.maxDestRdAtomic());
    RawMemory.putByte(at + MIN_RNR_TIMER, attr.minRnrTimer());
    RawMemory.putByte(at + PORT_NUM, attr.portNum());
    RawMemory.putByte(at + TIMEOUT, attr.timeout());
    RawMemory.putByte(at + RETRY_CNT, attr.retryCnt());
    RawMemory.putByte(at + RNR_RETRY, attr.rnrRetry());
    RawMemory.putInt(at + RATE_LIMIT, attr.rateLimit());
    AlternatePath path = attr.altPath();
    if (path != null) {
      AddressVectors.write(at + ALT_AH_ATTR, path.ahAttr());
      RawMemory.putShort(at + ALT_PKEY_INDEX, path.pkeyIndex());
      RawMemory.putByte(at + ALT_PORT_NUM, path.portNum());
      RawMemory.putByte(at + ALT_TIMEOUT, path.timeout());
    }
  }

  private static void checkNumbers(QpAttr attr, Set<QpAttrMask> mask) {
    for (QpAttrMask bit : mask) {
      switch (bit) {
        case PKEY_INDEX -> check(bit, attr.pkeyIndex(), 0xffff);
        case PORT -> check(bit, attr.portNum(), MAX_BYTE);
        case AV -> AddressVectors.check(attr.ahAttr(), MODIFY);
        case TIMEOUT -> check(bit, attr.timeout(), MAX_BYTE);
        case RETRY_CNT -> check(bit, attr.retryCnt(), MAX_BYTE);
        case RNR_RETRY -> check(bit, attr.rnrRetry(), MAX_BYTE);
        case MAX_QP_RD_ATOMIC -> check(bit, attr.maxRdAtomic(), MAX_BYTE);
        case MAX_DEST_RD_ATOMIC -> check(bit, attr.maxDestRdAtomic(), MAX_BYTE);
        case MIN_RNR_TIMER -> check(bit, attr.minRnrTimer(), MAX_BYTE);
        case ALT_PATH -> checkPath(attr.altPath());
        default -> {} // Others are numbers of 32 bits, flags or constants.
      }
    }
  }

  private static void checkPath(AlternatePath path) {
    if (path != null) {
      AddressVectors.check(path.ahAttr(), MODIFY);
      check(QpAttrMask.ALT_PATH, path.pkeyIndex(), 0xffff);
      check(QpAttrMask.ALT_PATH, path.portNum(), MAX_BYTE);
      check(QpAttrMask.ALT_PATH, path.timeout(), MAX_BYTE);
    }
  }

  private static void check(QpAttrMask bit, int number, int most) {
    if (number < 0 || number > most) {
      throw new VerbsException(Errno.EINVAL, MODIFY, bit + " " + number + " is not 0 to " + most);
    }
  }

  private static int codeOf(VerbsConstant constant) {
    return constant == null ? 0 : constant.code();
  }

  static QpAttr read(long at) {
    QpState state = state(RawMemory.getInt(at + QP_STATE));
    return new QpAttr()
        .qpState(state)
        .curQpState(state(RawMemory.getInt(at + CUR_QP_STATE)))
        .enSqdAsyncNotify(RawMemory.getByte(at + EN_SQD_ASYNC_NOTIFY) != 0)
        .sqDraining(RawMemory.getByte(at + SQ_DRAINING) != 0)
        .qpAccessFlags(
            VerbsConstant.flags(AccessFlag.class, RawMemory.getInt(at + QP_ACCESS_FLAGS)))
        .pkeyIndex(RawMemory.getShort(at + PKEY_INDEX))
        .portNum(RawMemory.getByte(at + PORT_NUM))
        .qkey(RawMemory.getInt(at + QKEY))
        .ahAttr(AddressVectors.read(at + AH_ATTR))
        .pathMtu(VerbsConstant.of(Mtu.class, RawMemory.getInt(at + PATH_MTU)).orElse(null))
        .timeout(RawMemory.getByte(at + TIMEOUT))
        .retryCnt(RawMemory.getByte(at + RETRY_CNT))
        .rnrRetry(RawMemory.getByte(at + RNR_RETRY))
        .rqPsn(RawMemory.getInt(at + RQ_PSN))
        .maxRdAtomic(RawMemory.getByte(at + MAX_RD_ATOMIC))
        .altPath(readAlternate(at))
        .minRnrTimer(RawMemory.getByte(at + MIN_RNR_TIMER))
        .sqPsn(RawMemory.getInt(at + SQ_PSN))
        .maxDestRdAtomic(RawMemory.getByte(at + MAX_DEST_RD_ATOMIC))
        .pathMigState(
            VerbsConstant.of(MigState.class, RawMemory.getInt(at + PATH_MIG_STATE))
                .orElse(MigState.MIGRATED))
        .cap(readCap(at + CAP))
        .destQpNum(RawMemory.getInt(at + DEST_QP_NUM))
        .rateLimit(RawMemory.getInt(at + RATE_LIMIT));
  }

  /** The attributes of a mask; others are not set. */
  static QpAttr read(long at, Set<QpAttrMask> mask) {
    QpAttr all = read(at);
    QpAttr attr = new QpAttr();
    for (QpAttrMask bit : mask) {
      copy(all, attr, bit);
    }
    return attr;
  }

  /** Copies an attribute that the connection manager sets. */
  private static void copy(QpAttr from, QpAttr to, QpAttrMask bit) {
    switch (bit) {
      case STATE -> to.qpState(from.qpState());
      case ACCESS_FLAGS -> to.qpAccessFlags(from.qpAccessFlags());
      case PKEY_INDEX -> to.pkeyIndex(from.pkeyIndex());
      case PORT -> to.portNum(from.portNum());
      case QKEY -> to.qkey(from.qkey());
      case AV -> to.ahAttr(from.ahAttr());
      case PATH_MTU -> to.pathMtu(from.pathMtu());
      case TIMEOUT -> to.timeout(from.timeout());
      case RETRY_CNT -> to.retryCnt(from.retryCnt());
      case RNR_RETRY -> to.rnrRetry(from.rnrRetry());
      case RQ_PSN -> to.rqPsn(from.rqPsn());
      case MAX_QP_RD_ATOMIC -> to.maxRdAtomic(from.maxRdAtomic());
      case ALT_PATH -> to.altPath(from.altPath());
      case MIN_RNR_TIMER -> to.minRnrTimer(from.minRnrTimer());
      case SQ_PSN -> to.sqPsn(from.sqPsn());
      case MAX_DEST_RD_ATOMIC -> to.maxDestRdAtomic(from.maxDestRdAtomic());
      case PATH_MIG_STATE -> to.pathMigState(from.pathMigState());
      case DEST_QPN -> to.destQpNum(from.destQpNum());
      default -> {} // It has no others.
    }
  }

  static QpState state(int code) {
    return VerbsConstant.of(QpState.class, code).orElse(QpState.UNKNOWN);
  }

  private static AlternatePath readAlternate(long at) {
    return new AlternatePath(
        AddressVectors.read(at + ALT_AH_ATTR),
        RawMemory.getShort(at + ALT_PKEY_INDEX),
        RawMemory.getByte(at + ALT_PORT_NUM),
        RawMemory.getByte(at + ALT_TIMEOUT));
  }

  static void writeCap(long at, QpCap cap) {
    RawMemory.putInt(at, cap.maxSendWr());
    RawMemory.putInt(at + 4, cap.maxRecvWr());
    RawMemory.putInt(at + 8, cap.maxSendSge());
    RawMemory.putInt(at + 12, cap.maxRecvSge());
    RawMemory.putInt(at + 16, cap.maxInlineData());
  }

  static QpCap readCap(long at) {
    return new QpCap(
        RawMemory.getInt(at),
        RawMemory.getInt(at + 4),
        RawMemory.getInt(at + 8),
        RawMemory.getInt(at + 12),
        RawMemory.getInt(at + 16));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.VerbsConstant;
import java.nio.ByteBuffer;

/** {@code struct ib_uverbs_qp_attr}: attributes with their mask, as the kernel gives them. */
final class UverbsQpAttrStruct {
  static final int SIZE = 144;

  private static final int QP_ATTR_MASK = 0;
  private static final int QP_STATE = 4;
  private static final int CUR_QP_STATE = 8;
  private static final int PATH_MTU = 12;
  private static final int PATH_MIG_STATE = 16;
  private static final int QKEY = 20;
  private static final int RQ_PSN = 24;
  private static final int SQ_PSN = 28;
  private static final int DEST_QP_NUM = 32;
  private static final int QP_ACCESS_FLAGS = 36;
  private static final int AH_ATTR = 40;
  private static final int PKEY_INDEX = 124;
  private static final int MAX_RD_ATOMIC = 130;
  private static final int MAX_DEST_RD_ATOMIC = 131;
  private static final int MIN_RNR_TIMER = 132;
  private static final int PORT_NUM = 133;
  private static final int TIMEOUT = 134;
  private static final int RETRY_CNT = 135;
  private static final int RNR_RETRY = 136;

  private UverbsQpAttrStruct() {}

  static void write(ByteBuffer args, int at, QpAttr attr) {
    Args.clear(args, at, SIZE);
    args.putInt(at + QP_ATTR_MASK, VerbsConstant.mask(attr.mask()));
    args.putInt(at + QP_STATE, attr.qpState().code());
    args.putInt(at + CUR_QP_STATE, attr.curQpState() == null ? 0 : attr.curQpState().code());
    args.putInt(at + PATH_MTU, attr.pathMtu() == null ? 0 : attr.pathMtu().code());
    args.putInt(at + PATH_MIG_STATE, attr.pathMigState() == null ? 0 : attr.pathMigState().code());
    args.putInt(at + QKEY, attr.qkey());
    args.putInt(at + RQ_PSN, attr.rqPsn());
    args.putInt(at + SQ_PSN, attr.sqPsn());
    args.putInt(at + DEST_QP_NUM, attr.destQpNum());
    args.putInt(at + QP_ACCESS_FLAGS, VerbsConstant.mask(attr.qpAccessFlags()));
    AhAttrStruct.write(args, at + AH_ATTR, attr.ahAttr());
    args.putShort(at + PKEY_INDEX, (short) attr.pkeyIndex());
    args.put(at + MAX_RD_ATOMIC, (byte) attr.maxRdAtomic());
    args.put(at + MAX_DEST_RD_ATOMIC, (byte) attr.maxDestRdAtomic());
    args.put(at + MIN_RNR_TIMER, (byte) attr.minRnrTimer());
    args.put(at + PORT_NUM, (byte) attr.portNum());
    args.put(at + TIMEOUT, (byte) attr.timeout());
    args.put(at + RETRY_CNT, (byte) attr.retryCnt());
    args.put(at + RNR_RETRY, (byte) attr.rnrRetry());
  }
}

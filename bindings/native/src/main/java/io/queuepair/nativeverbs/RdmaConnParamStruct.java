// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaUdParam;
import java.nio.ByteBuffer;

/** {@code struct rdma_ucm_conn_param} and {@code struct rdma_ucm_ud_param}. */
final class RdmaConnParamStruct {
  /** Size of {@code struct rdma_ucm_conn_param}. */
  static final int SIZE = 272;

  private static final int QP_NUM = 0;
  private static final int QKEY = 4;
  private static final int PRIVATE_DATA = 8;
  private static final int PRIVATE_DATA_LEN = 264;
  private static final int SRQ = 265;
  private static final int RESPONDER_RESOURCES = 266;
  private static final int INITIATOR_DEPTH = 267;
  private static final int FLOW_CONTROL = 268;
  private static final int RETRY_COUNT = 269;
  private static final int RNR_RETRY_COUNT = 270;
  private static final int VALID = 271;

  private static final int UD_AH_ATTR = 8;
  private static final int UD_PRIVATE_DATA = 40;
  private static final int UD_PRIVATE_DATA_LEN = 296;

  private RdmaConnParamStruct() {}

  /** Whether the program gave connection parameters. */
  static boolean isValid(ByteBuffer args, int at) {
    return args.get(at + VALID) != 0;
  }

  static RdmaConnParam read(ByteBuffer args, int at) {
    return new RdmaConnParam(
        bytes(args, at + PRIVATE_DATA, Byte.toUnsignedInt(args.get(at + PRIVATE_DATA_LEN))),
        Byte.toUnsignedInt(args.get(at + RESPONDER_RESOURCES)),
        Byte.toUnsignedInt(args.get(at + INITIATOR_DEPTH)),
        args.get(at + FLOW_CONTROL) != 0,
        Byte.toUnsignedInt(args.get(at + RETRY_COUNT)),
        Byte.toUnsignedInt(args.get(at + RNR_RETRY_COUNT)),
        args.get(at + SRQ) != 0,
        args.getInt(at + QP_NUM));
  }

  static ByteBuffer bytes(ByteBuffer args, int at, int length) {
    byte[] bytes = new byte[length];
    args.get(at, bytes);
    return ByteBuffer.wrap(bytes);
  }

  static void write(ByteBuffer args, int at, RdmaConnParam param) {
    args.putInt(at + QP_NUM, param.qpNum());
    putBytes(args, at + PRIVATE_DATA, param.privateData());
    args.put(at + PRIVATE_DATA_LEN, (byte) param.privateData().remaining());
    args.put(at + SRQ, (byte) (param.srq() ? 1 : 0));
    args.put(at + RESPONDER_RESOURCES, (byte) param.responderResources());
    args.put(at + INITIATOR_DEPTH, (byte) param.initiatorDepth());
    args.put(at + FLOW_CONTROL, (byte) (param.flowControl() ? 1 : 0));
    args.put(at + RETRY_COUNT, (byte) param.retryCount());
    args.put(at + RNR_RETRY_COUNT, (byte) param.rnrRetryCount());
  }

  static void write(ByteBuffer args, int at, RdmaUdParam param) {
    args.putInt(at + QP_NUM, param.qpNum());
    args.putInt(at + QKEY, param.qkey());
    if (param.ahAttr() != null) {
      AhAttrStruct.write(args, at + UD_AH_ATTR, param.ahAttr());
    }
    putBytes(args, at + UD_PRIVATE_DATA, param.privateData());
    args.put(at + UD_PRIVATE_DATA_LEN, (byte) param.privateData().remaining());
  }

  private static void putBytes(ByteBuffer args, int at, ByteBuffer bytes) {
    args.put(at, bytes, bytes.position(), bytes.remaining());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/** {@code struct ibv_wc}. */
final class WcStruct {
  static final int SIZE = 48;

  private static final int STATUS = 8;
  private static final int OPCODE = 12;
  private static final int VENDOR_ERR = 16;
  private static final int BYTE_LEN = 20;
  private static final int IMM_DATA = 24;
  private static final int QP_NUM = 28;
  private static final int SRC_QP = 32;
  private static final int WC_FLAGS = 36;
  private static final int PKEY_INDEX = 40;
  private static final int SL = 44;

  private static final WcFlag[] WC_FLAG = WcFlag.values();

  private WcStruct() {}

  static void write(ByteBuffer args, int at, Cqe completion) {
    int flags = mask(completion.wcFlags());
    args.putLong(at, completion.wrId());
    args.putInt(at + STATUS, completion.status().code());
    args.putInt(at + OPCODE, completion.opcode().code());
    args.putInt(at + VENDOR_ERR, 0);
    args.putInt(at + BYTE_LEN, completion.byteLen());
    args.putInt(at + IMM_DATA, immediate(completion.immData(), flags));
    args.putInt(at + QP_NUM, completion.qpNum());
    args.putInt(at + SRC_QP, completion.srcQp());
    args.putInt(at + WC_FLAGS, flags);
    args.putLong(at + PKEY_INDEX, 0); // Also slid and dlid_path_bits: RoCE has no LIDs.
    args.put(at + SL, (byte) completion.sl());
  }

  private static int mask(Set<WcFlag> flags) {
    int mask = 0;
    for (WcFlag flag : WC_FLAG) {
      mask |= flags.contains(flag) ? flag.code() : 0;
    }
    return mask;
  }

  /** Immediate data is in network order; an invalidated rkey, in the same member, is not. */
  static int immediate(int value, int flags) {
    boolean isKey = (flags & WcFlag.WITH_INV.code()) != 0;
    return isKey ? value : networkOrder(value);
  }

  /** Converts a number between native and network order. */
  static int networkOrder(int value) {
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return isLittle ? Integer.reverseBytes(value) : value;
  }

  /** Reads the members of a completion that tell where a datagram came from. */
  static WorkCompletion read(ByteBuffer args, int at) {
    long flags = Integer.toUnsignedLong(args.getInt(at + WC_FLAGS));
    return new WorkCompletion(
        args.getLong(at),
        WcStatus.SUCCESS,
        WcOpcode.RECV,
        0,
        args.getInt(at + BYTE_LEN),
        0,
        args.getInt(at + QP_NUM),
        args.getInt(at + SRC_QP),
        CValues.flags(WcFlag.class, flags),
        null);
  }
}

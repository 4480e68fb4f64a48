// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Completions, as C has them. */
final class Completions {
  static final int SIZE = VerbsAbi.size("ibv_wc");

  private static final int STATUS = offset("status");
  private static final int OPCODE = offset("opcode");
  private static final int VENDOR_ERR = offset("vendor_err");
  private static final int BYTE_LEN = offset("byte_len");
  private static final int IMM_DATA = offset("imm_data");
  private static final int QP_NUM = offset("qp_num");
  private static final int SRC_QP = offset("src_qp");
  private static final int WC_FLAGS = offset("wc_flags");

  private static final WcStatus[] STATUSES = WcStatus.values();
  private static final WcOpcode[] OPCODES = new WcOpcode[256];
  private static final List<Set<WcFlag>> FLAGS = new ArrayList<>();

  static {
    for (WcOpcode opcode : WcOpcode.values()) {
      OPCODES[opcode.code()] = opcode;
    }
    for (int mask = 0; mask < 1 << WcFlag.values().length; mask++) {
      FLAGS.add(VerbsConstant.exactFlags(WcFlag.class, mask));
    }
  }

  private Completions() {}

  private static int offset(String field) {
    return VerbsAbi.offset("ibv_wc." + field);
  }

  static WorkCompletion read(long at) {
    WcStatus status = status(RawMemory.getInt(at + STATUS));
    boolean isSuccess = status == WcStatus.SUCCESS;
    int flags = isSuccess ? RawMemory.getInt(at + WC_FLAGS) : 0;
    return new WorkCompletion(
        RawMemory.getLong(at),
        status,
        isSuccess ? opcode(RawMemory.getInt(at + OPCODE)) : WcOpcode.SEND,
        RawMemory.getInt(at + VENDOR_ERR),
        isSuccess ? RawMemory.getInt(at + BYTE_LEN) : 0,
        immediate(RawMemory.getInt(at + IMM_DATA), flags),
        RawMemory.getInt(at + QP_NUM),
        isSuccess ? RawMemory.getInt(at + SRC_QP) : 0,
        flags(flags),
        null);
  }

  /** Writes what an address handle is made from. */
  static void write(long at, WorkCompletion completion) {
    RawMemory.putInt(at + SRC_QP, completion.srcQp());
    RawMemory.putInt(at + WC_FLAGS, VerbsConstant.mask(completion.wcFlags()));
  }

  /** A key is in the order of the host, immediate data in that of the network; else there is 0. */
  static int immediate(int value, int flags) {
    if ((flags & WcFlag.WITH_INV.code()) != 0) {
      return value;
    }
    return (flags & WcFlag.WITH_IMM.code()) == 0 ? 0 : RawMemory.networkOrder(value);
  }

  static WcStatus status(int code) {
    return code >= 0 && code < STATUSES.length ? STATUSES[code] : WcStatus.GENERAL_ERR;
  }

  /** A code that {@code verbs.h} does not have, as of failed work, counts as 0. */
  static WcOpcode opcode(int code) {
    WcOpcode known = code >= 0 && code < OPCODES.length ? OPCODES[code] : null;
    return known == null ? WcOpcode.SEND : known;
  }

  /** Bits that the API has no name for are left out. */
  static Set<WcFlag> flags(int bits) {
    return FLAGS.get(bits & FLAGS.size() - 1);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.PortAttr;
import java.nio.ByteBuffer;

/** {@code struct ibv_port_attr}. RoCE has no LIDs and one virtual lane. */
final class PortAttrStruct {
  private static final int SIZE = 52;
  private static final int GRH_REQUIRED = 1;

  private PortAttrStruct() {}

  static void write(ByteBuffer args, int at, PortAttr port) {
    Args.clear(args, at, SIZE);
    args.putInt(at, port.state().code());
    args.putInt(at + 4, port.maxMtu().code());
    args.putInt(at + 8, port.activeMtu().code());
    args.putInt(at + 12, port.gidTblLen());
    args.putInt(at + 16, port.portCapFlags());
    args.putInt(at + 20, (int) port.maxMsgSz());
    args.putInt(at + 24, port.badPkeyCntr());
    args.putInt(at + 28, port.qkeyViolCntr());
    args.putShort(at + 32, (short) port.pkeyTblLen());
    args.put(at + 39, (byte) 1); // max_vl_num
    args.put(at + 43, (byte) port.activeWidth());
    args.put(at + 44, (byte) port.activeSpeed());
    args.put(at + 45, (byte) port.physState());
    args.put(at + 46, (byte) port.linkLayer().code());
    args.put(at + 47, (byte) (port.isGrhRequired() ? GRH_REQUIRED : 0));
  }
}

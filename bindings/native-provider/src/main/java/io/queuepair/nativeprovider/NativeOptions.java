// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.Set;

/** Options of an id, set or asked for before it connects. */
final class NativeOptions {
  static final String SET = "rdma_set_option";

  private static final int LEVEL_ID = 0;
  private static final int LEVEL_IB = 1;
  private static final int TOS = 0;
  private static final int REUSEADDR = 1;
  private static final int AFONLY = 2;
  private static final int ACK_TIMEOUT = 3;
  private static final int IB_PATH = 1;

  private static final int MAX_BYTE = 0xff;

  private static final int ECE_SIZE = VerbsAbi.size("ibv_ece");
  private static final int VENDOR_ID = VerbsAbi.offset("ibv_ece.vendor_id");
  private static final int OPTIONS = VerbsAbi.offset("ibv_ece.options");

  private NativeOptions() {}

  static void set(long id, RdmaOption option) {
    switch (option) {
      case RdmaOption.Tos of -> setByte(id, TOS, of.value());
      case RdmaOption.ReuseAddress of -> setInt(id, REUSEADDR, of.isOn());
      case RdmaOption.AddressFamilyOnly of -> setInt(id, AFONLY, of.isOn());
      case RdmaOption.AckTimeout of -> setByte(id, ACK_TIMEOUT, of.code());
      case RdmaOption.IbPath of -> {
        try (Arena arena = Arena.ofConfined()) {
          long path = NativePaths.write(arena, of.path());
          Librdmacm.SET_OPTION.status(id, LEVEL_IB, IB_PATH, path, (long) NativePaths.DATA_SIZE);
        }
      }
    }
  }

  private static void setByte(long id, int name, int value) {
    if (value < 0 || value > MAX_BYTE) {
      throw new VerbsException(Errno.EINVAL, SET, value + " is not 0 to 255");
    }
    try (Arena arena = Arena.ofConfined()) {
      long at = RawMemory.allocate(arena, Byte.BYTES);
      RawMemory.putByte(at, value);
      Librdmacm.SET_OPTION.status(id, LEVEL_ID, name, at, (long) Byte.BYTES);
    }
  }

  private static void setInt(long id, int name, boolean isOn) {
    try (Arena arena = Arena.ofConfined()) {
      long at = RawMemory.allocate(arena, Integer.BYTES);
      RawMemory.putInt(at, isOn ? 1 : 0);
      Librdmacm.SET_OPTION.status(id, LEVEL_ID, name, at, (long) Integer.BYTES);
    }
  }

  static QpAttr initQpAttr(long id, QpState state) {
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, NativeQpAttr.SIZE);
      long mask = RawMemory.allocate(arena, Integer.BYTES);
      NativeQpAttr.write(attr, QpAttr.to(state), Set.of(QpAttrMask.STATE));
      Librdmacm.INIT_QP_ATTR.status(id, attr, mask);
      return NativeQpAttr.read(attr, VerbsConstant.flags(QpAttrMask.class, RawMemory.getInt(mask)));
    }
  }

  static void setEce(long id, Ece ece) {
    try (Arena arena = Arena.ofConfined()) {
      long at = RawMemory.allocate(arena, ECE_SIZE);
      RawMemory.putInt(at + VENDOR_ID, ece.vendorId());
      RawMemory.putInt(at + OPTIONS, ece.options());
      Librdmacm.SET_LOCAL_ECE.status(id, at);
    }
  }

  static Ece getEce(long id) {
    try (Arena arena = Arena.ofConfined()) {
      long at = RawMemory.allocate(arena, ECE_SIZE);
      Librdmacm.GET_REMOTE_ECE.status(id, at);
      return new Ece(RawMemory.getInt(at + VENDOR_ID), RawMemory.getInt(at + OPTIONS));
    }
  }
}

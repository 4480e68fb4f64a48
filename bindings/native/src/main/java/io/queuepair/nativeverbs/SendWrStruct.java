// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * {@code struct ibv_send_wr} as a record: {@code next} is the size of the record in bytes, {@code
 * sg_list} the size of inline data, or -1 if that is too much to copy, and pointers to objects are
 * their handles. The entries follow, and then the inline data, or a copy of the data that the
 * entries name.
 */
final class SendWrStruct {
  private static final int SIZE = 128;

  private static final int INLINE_BYTES = 16;

  /** Upper half of {@code sg_list} if a copy of the data follows; the lower half is its size. */
  private static final int IS_COPY = 1;

  private static final int NUM_SGE = 24;
  private static final int OPCODE = 28;
  private static final int SEND_FLAGS = 32;
  private static final int IMM_DATA = 36;
  private static final int REMOTE_ADDR = 40;
  private static final int RKEY = 48;
  private static final int COMPARE_ADD = 48;
  private static final int SWAP = 56;
  private static final int ATOMIC_RKEY = 64;
  private static final int FLUSH_LENGTH = SWAP;
  private static final int FLUSH_PLACEMENT_AND_LEVEL = ATOMIC_RKEY;
  private static final int AH = 40;
  private static final int REMOTE_QPN = 48;
  private static final int REMOTE_QKEY = 52;
  private static final int REMOTE_SRQN = 72;
  private static final int MW = 80;
  private static final int MW_RKEY = 88;
  private static final int BIND_INFO = 96;

  private static final WrOpcode[] OPCODES = new WrOpcode[16];

  private static final List<Set<SendFlag>> FLAGS =
      IntStream.range(0, 1 << SendFlag.values().length)
          .mapToObj(mask -> CValues.flags(SendFlag.class, mask))
          .toList();

  static {
    for (WrOpcode opcode : WrOpcode.values()) {
      OPCODES[opcode.code()] = opcode;
    }
  }

  private SendWrStruct() {}

  /**
   * Reads a request.
   *
   * @param type of the queue pair
   * @param isBatch whether it was built by {@code ibv_wr_*}, not by {@code ibv_post_send}
   */
  static void read(ByteBuffer args, int at, QpType type, boolean isBatch, SendRequest into) {
    WrOpcode opcode = opcode(args, at);
    into.begin(args.getLong(at), opcode, flags(args.getInt(at + SEND_FLAGS)));
    if (!isLocal(opcode)) {
      readData(args, at, isBatch, into);
    }
    readOperation(args, at, isBatch, into);
    if (type == QpType.UD && !(isBatch && isLocal(opcode))) {
      AddressHandle ah = Handles.getOrNull(args.getLong(at + AH), AddressHandle.class);
      into.to(ah, args.getInt(at + REMOTE_QPN), args.getInt(at + REMOTE_QKEY));
    } else if (type == QpType.XRC_SEND && !isLocal(opcode)) {
      into.toSrq(args.getInt(at + REMOTE_SRQN));
    }
  }

  private static boolean isLocal(WrOpcode opcode) {
    return opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.BIND_MW;
  }

  private static WrOpcode opcode(ByteBuffer args, int at) {
    int code = args.getInt(at + OPCODE);
    if (code < 0 || code >= OPCODES.length || OPCODES[code] == null) {
      throw CValues.refused("there is no operation " + code);
    }
    return OPCODES[code];
  }

  private static Set<SendFlag> flags(int mask) {
    if (mask < 0 || mask >= FLAGS.size()) {
      throw CValues.refused("there are no send flags 0x" + Integer.toHexString(mask));
    }
    return FLAGS.get(mask);
  }

  /** Reads the entries, or inline data in place of them. */
  private static void readData(ByteBuffer args, int at, boolean isBatch, SendRequest into) {
    int count = args.getInt(at + NUM_SGE);
    if (count < 0) {
      throw CValues.refused("num_sge " + count);
    }
    long bytes = args.getLong(at + INLINE_BYTES);
    if (bytes >>> Integer.SIZE == IS_COPY) {
      SgeStruct.readAll(args, at + SIZE, count, into.sges());
      into.copied(args, at + SIZE + count * SgeStruct.SIZE, (int) bytes);
      return;
    }
    int inlineBytes = (int) bytes;
    boolean isByValue = isBatch && into.opcode() == WrOpcode.ATOMIC_WRITE;
    if (inlineBytes <= 0 && !isByValue) {
      SgeStruct.readAll(args, at + SIZE, count, into.sges());
      return;
    }
    long offset = at + SIZE + (long) count * SgeStruct.SIZE;
    int length = Math.max(0, inlineBytes);
    if (offset + length > args.capacity()) {
      throw CValues.refused(length + " bytes of inline data");
    }
    if (isBatch) {
      into.copyValue(args, (int) offset, length);
    } else {
      into.sges().addOwn(args, (int) offset, length);
    }
  }

  private static void readOperation(ByteBuffer args, int at, boolean isBatch, SendRequest into) {
    long remoteAddr = args.getLong(at + REMOTE_ADDR);
    int rkey = args.getInt(at + RKEY);
    int number = args.getInt(at + IMM_DATA);
    switch (into.opcode()) {
      case SEND -> {}
      case SEND_WITH_IMM -> into.number(WcStruct.networkOrder(number));
      case SEND_WITH_INV, LOCAL_INV -> into.number(number);
      case RDMA_WRITE, RDMA_READ, ATOMIC_WRITE -> into.remote(remoteAddr, rkey);
      case RDMA_WRITE_WITH_IMM ->
          into.remote(remoteAddr, rkey).number(WcStruct.networkOrder(number));
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
          into.remote(remoteAddr, args.getInt(at + ATOMIC_RKEY))
              .atomic(args.getLong(at + COMPARE_ADD), args.getLong(at + SWAP));
      case BIND_MW ->
          into.details(
              new BindMwWr(
                  into.wrId(),
                  Set.of(),
                  Handles.getOrNull(args.getLong(at + MW), MemoryWindow.class),
                  args.getInt(at + MW_RKEY),
                  MemoryEntries.bindInfo(args, at + BIND_INFO, args.getLong(at + BIND_INFO))));
      case FLUSH -> {
        if (!isBatch) {
          throw CValues.refused("operation FLUSH is posted by ibv_wr_flush");
        }
        readFlush(args, at, into.remote(remoteAddr, rkey));
      }
      case TSO, DRIVER1 -> throw CValues.refused("operation " + into.opcode() + " is not offered");
    }
  }

  private static void readFlush(ByteBuffer args, int at, SendRequest into) {
    int how = args.getInt(at + FLUSH_PLACEMENT_AND_LEVEL);
    into.details(
        new FlushWr(
            into.wrId(),
            Set.of(),
            into.remoteAddr(),
            into.rkey(),
            args.getLong(at + FLUSH_LENGTH),
            CValues.flags(PlacementType.class, how & 0xff),
            CValues.one("level", SelectivityLevel.class, how >>> Byte.SIZE)));
  }
}

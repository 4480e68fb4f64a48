// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WrBatch;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * {@code struct ibv_send_wr} as a record: in place of the pointer to the next one are the bytes of
 * the record, in place of the list of entries the bytes of inline data, or -1 if they are too many
 * to be copied, and in place of objects their handles. After it follow the entries, and then the
 * inline data.
 */
final class SendWrStruct {
  private static final int SIZE = 128;

  private static final int INLINE_BYTES = 16;
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

  /** Reads a request for {@code ibv_post_send}. */
  static SendWr read(ByteBuffer args, int at, QpType type) {
    WrOpcode opcode = opcode(args, at);
    SendWr request =
        operation(opcode, args, at, entries(args, at, opcode), flags(args.getInt(at + SEND_FLAGS)));
    return switch (type) {
      case UD ->
          request.to(
              addressHandle(args, at), args.getInt(at + REMOTE_QPN), args.getInt(at + REMOTE_QKEY));
      case XRC_SEND -> isLocal(opcode) ? request : request.toSrq(args.getInt(at + REMOTE_SRQN));
      default -> request;
    };
  }

  private static boolean isLocal(WrOpcode opcode) {
    return opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.BIND_MW;
  }

  private static AddressHandle addressHandle(ByteBuffer args, int at) {
    return Handles.getOrNull(args.getLong(at + AH), AddressHandle.class);
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

  /** The entries; those of inline data carry it, wherever it is registered. */
  private static List<Sge> entries(ByteBuffer args, int at, WrOpcode opcode) {
    int count = args.getInt(at + NUM_SGE);
    if (count < 0) {
      throw CValues.refused("num_sge " + count);
    }
    if (isLocal(opcode)) {
      return List.of();
    }
    boolean hasData = args.getLong(at + INLINE_BYTES) > 0;
    if (!hasData) {
      return SgeStruct.readList(args, at + SIZE, count);
    }
    return List.of(Sge.inline(inlineData(args, at, count)));
  }

  private static ByteBuffer inlineData(ByteBuffer args, int at, int entries) {
    int bytes = (int) args.getLong(at + INLINE_BYTES);
    return args.slice(at + SIZE + entries * SgeStruct.SIZE, bytes);
  }

  private static SendWr operation(
      WrOpcode opcode, ByteBuffer args, int at, List<Sge> sges, Set<SendFlag> flags) {
    long wrId = args.getLong(at);
    long remoteAddr = args.getLong(at + REMOTE_ADDR);
    int rkey = args.getInt(at + RKEY);
    int number = args.getInt(at + IMM_DATA);
    return switch (opcode) {
      case RDMA_WRITE -> new SendWr.RdmaWrite(wrId, sges, flags, remoteAddr, rkey);
      case RDMA_WRITE_WITH_IMM ->
          new SendWr.RdmaWriteWithImm(
              wrId, sges, flags, remoteAddr, rkey, WcStruct.networkOrder(number));
      case SEND -> new SendWr.Send(wrId, sges, flags);
      case SEND_WITH_IMM ->
          new SendWr.SendWithImm(wrId, sges, flags, WcStruct.networkOrder(number));
      case RDMA_READ -> new SendWr.RdmaRead(wrId, sges, flags, remoteAddr, rkey);
      case ATOMIC_CMP_AND_SWP ->
          new AtomicCmpAndSwpWr(
              wrId,
              sges,
              flags,
              remoteAddr,
              args.getInt(at + ATOMIC_RKEY),
              args.getLong(at + COMPARE_ADD),
              args.getLong(at + SWAP));
      case ATOMIC_FETCH_AND_ADD ->
          new AtomicFetchAndAddWr(
              wrId,
              sges,
              flags,
              remoteAddr,
              args.getInt(at + ATOMIC_RKEY),
              args.getLong(at + COMPARE_ADD));
      case LOCAL_INV -> new LocalInvWr(wrId, flags, number);
      case BIND_MW ->
          new BindMwWr(
              wrId,
              flags,
              Handles.getOrNull(args.getLong(at + MW), MemoryWindow.class),
              args.getInt(at + MW_RKEY),
              MemoryEntries.bindInfo(args, at + BIND_INFO, args.getLong(at + BIND_INFO)));
      case SEND_WITH_INV -> new SendWithInvWr(wrId, sges, flags, number);
      case ATOMIC_WRITE -> new AtomicWriteWr(wrId, sges, flags, remoteAddr, rkey);
      case TSO, DRIVER1, FLUSH -> throw CValues.refused("operation " + opcode + " is not offered");
    };
  }

  /** Builds a request of an extended queue pair. */
  static void build(ByteBuffer args, int at, QpType type, WrBatch batch) {
    WrOpcode opcode = opcode(args, at);
    batch.wrId(args.getLong(at)).wrFlags(flags(args.getInt(at + SEND_FLAGS)));
    start(opcode, args, at, batch);
    if (isLocal(opcode)) {
      return;
    }
    long inlineBytes = args.getLong(at + INLINE_BYTES);
    int entries = args.getInt(at + NUM_SGE);
    if (inlineBytes > 0 && opcode != WrOpcode.ATOMIC_WRITE) {
      batch.setInlineData(inlineData(args, at, entries));
    } else if (entries > 0) {
      batch.setSgeList(SgeStruct.readList(args, at + SIZE, entries));
    }
    if (type == QpType.UD) {
      batch.setUdAddr(
          addressHandle(args, at), args.getInt(at + REMOTE_QPN), args.getInt(at + REMOTE_QKEY));
    } else if (type == QpType.XRC_SEND) {
      batch.setXrcSrqn(args.getInt(at + REMOTE_SRQN));
    }
  }

  private static void start(WrOpcode opcode, ByteBuffer args, int at, WrBatch batch) {
    long remoteAddr = args.getLong(at + REMOTE_ADDR);
    int rkey = args.getInt(at + RKEY);
    int number = args.getInt(at + IMM_DATA);
    switch (opcode) {
      case RDMA_WRITE -> batch.rdmaWrite(rkey, remoteAddr);
      case RDMA_WRITE_WITH_IMM ->
          batch.rdmaWriteImm(rkey, remoteAddr, WcStruct.networkOrder(number));
      case SEND -> batch.send();
      case SEND_WITH_IMM -> batch.sendImm(WcStruct.networkOrder(number));
      case RDMA_READ -> batch.rdmaRead(rkey, remoteAddr);
      case ATOMIC_CMP_AND_SWP ->
          batch.atomicCmpSwp(
              args.getInt(at + ATOMIC_RKEY),
              remoteAddr,
              args.getLong(at + COMPARE_ADD),
              args.getLong(at + SWAP));
      case ATOMIC_FETCH_AND_ADD ->
          batch.atomicFetchAdd(
              args.getInt(at + ATOMIC_RKEY), remoteAddr, args.getLong(at + COMPARE_ADD));
      case LOCAL_INV -> batch.localInv(number);
      case BIND_MW ->
          batch.bindMw(
              Handles.getOrNull(args.getLong(at + MW), MemoryWindow.class),
              args.getInt(at + MW_RKEY),
              MemoryEntries.bindInfo(args, at + BIND_INFO, args.getLong(at + BIND_INFO)));
      case SEND_WITH_INV -> batch.sendInv(number);
      case ATOMIC_WRITE ->
          batch.atomicWrite(rkey, remoteAddr, inlineData(args, at, args.getInt(at + NUM_SGE)));
      case FLUSH -> {
        int how = args.getInt(at + FLUSH_PLACEMENT_AND_LEVEL);
        batch.flush(
            rkey,
            remoteAddr,
            args.getLong(at + FLUSH_LENGTH),
            CValues.flags(PlacementType.class, how & 0xff),
            CValues.one(SelectivityLevel.class, how >>> Byte.SIZE));
      }
      case TSO, DRIVER1 -> throw CValues.refused("operation " + opcode + " is not offered");
    }
  }
}

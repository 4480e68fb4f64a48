// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.UdWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcWr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Writes lists of sends. */
final class SendRequests {
  private static final String VERB = "ibv_post_send";

  private static final int SIZE = VerbsAbi.size("ibv_send_wr");
  private static final int NEXT = offset("next");
  private static final int SG_LIST = offset("sg_list");
  private static final int NUM_SGE = offset("num_sge");
  private static final int OPCODE = offset("opcode");
  private static final int SEND_FLAGS = offset("send_flags");
  private static final int IMM_DATA = offset("imm_data");
  private static final int REMOTE_ADDR = offset("wr.rdma.remote_addr");
  private static final int RKEY = offset("wr.rdma.rkey");
  private static final int COMPARE_ADD = offset("wr.atomic.compare_add");
  private static final int SWAP = offset("wr.atomic.swap");
  private static final int ATOMIC_RKEY = offset("wr.atomic.rkey");
  private static final int AH = offset("wr.ud.ah");
  private static final int REMOTE_QPN = offset("wr.ud.remote_qpn");
  private static final int REMOTE_QKEY = offset("wr.ud.remote_qkey");
  private static final int REMOTE_SRQN = offset("qp_type.xrc.remote_srqn");
  private static final int MW = offset("bind_mw.mw");
  private static final int MW_RKEY = offset("bind_mw.rkey");
  private static final int BIND_INFO = offset("bind_mw.bind_info");
  private static final int TSO_HDR = offset("tso.hdr");
  private static final int TSO_HDR_SZ = offset("tso.hdr_sz");
  private static final int TSO_MSS = offset("tso.mss");

  private static final int MAX_SHORT = 0xffff;

  /** Context of all that they may name. */
  private final NativeContext context;

  private final WorkMemory memory = new WorkMemory();

  /** The region of the latest inline data, where the next is, too, as a rule. */
  private NativeMemoryRegion latest;

  /** Why the list that was written ends early; null if it does not. */
  private BadWorkRequestException mistake;

  SendRequests(NativeContext context) {
    this.context = context;
  }

  private static int offset(String field) {
    return VerbsAbi.offset("ibv_send_wr." + field);
  }

  /** Where the function puts the request that it refuses. */
  long bad() {
    return memory.takeZero();
  }

  /** The first of the list, which ends before a mistake; 0 if it is empty. */
  long write(List<SendWr> wrs) {
    mistake = null;
    long bytes = Long.BYTES;
    for (int i = 0; i < wrs.size(); i++) {
      bytes += bytesOf(Objects.requireNonNull(wrs.get(i), "wrs"));
    }
    memory.reserve(bytes);
    long first = memory.take((long) wrs.size() * SIZE);
    for (int i = 0; i < wrs.size(); i++) {
      long at = first + (long) i * SIZE;
      RawMemory.clear(at, SIZE);
      try {
        write(at, wrs.get(i));
      } catch (VerbsException e) {
        String text = e.getMessage().replace(VERB + ": " + e.errno() + ": ", "");
        mistake = new BadWorkRequestException(e.errno(), VERB, i, text);
        return i == 0 ? 0 : first;
      }
      if (i > 0) {
        RawMemory.putLong(at - SIZE + NEXT, at);
      }
    }
    return wrs.isEmpty() ? 0 : first;
  }

  /** Throws the mistake that the list ended before, when it is posted. */
  void refuseMistake() {
    if (mistake != null) {
      throw mistake;
    }
  }

  private static long bytesOf(SendWr wr) {
    List<Sge> entries = wr.sgList();
    long bytes = SIZE + (long) entries.size() * SgeList.SIZE;
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).hasInlineData()) {
        bytes += entries.get(i).length() + 7L;
      }
    }
    SendWr inner = wr instanceof UdWr ud ? ud.wr() : wr;
    return inner instanceof TsoWr tso ? bytes + tso.hdr().remaining() + 7L : bytes;
  }

  private void write(long at, SendWr wr) {
    RawMemory.putLong(at, wr.wrId());
    RawMemory.putInt(at + OPCODE, wr.opcode().code());
    RawMemory.putInt(at + SEND_FLAGS, maskOf(wr.flags()));
    writeEntries(at, wr);
    writeOperation(at, wr);
  }

  /** As VerbsConstant.mask, without the iterator. */
  static int maskOf(Set<SendFlag> flags) {
    return bitOf(flags, SendFlag.FENCE)
        | bitOf(flags, SendFlag.SIGNALED)
        | bitOf(flags, SendFlag.SOLICITED)
        | bitOf(flags, SendFlag.INLINE)
        | bitOf(flags, SendFlag.IP_CSUM);
  }

  private static int bitOf(Set<SendFlag> flags, SendFlag flag) {
    return flags.contains(flag) ? flag.code() : 0;
  }

  private void writeEntries(long at, SendWr wr) {
    List<Sge> entries = wr.sgList();
    boolean isInline = wr.flags().contains(SendFlag.INLINE);
    long list = memory.take((long) entries.size() * SgeList.SIZE);
    for (int i = 0; i < entries.size(); i++) {
      Sge entry = entries.get(i);
      long addr = entry.addr();
      if (entry.hasInlineData()) {
        if (!isInline) {
          throw new VerbsException(Errno.EINVAL, VERB, "own bytes without INLINE");
        }
        addr = copyOf(entry.inlineData().orElseThrow());
      } else if (isInline && entry.length() != 0) {
        addr = hostAddress(entry);
      }
      SgeList.write(list + (long) i * SgeList.SIZE, addr, entry.length(), entry.lkey());
    }
    RawMemory.putLong(at + SG_LIST, list);
    RawMemory.putInt(at + NUM_SGE, entries.size());
  }

  /** The driver reads inline data by a pointer, with no look at the lkey. */
  private long hostAddress(Sge entry) {
    NativeMemoryRegion region = latest;
    if (region == null || !region.has(entry) || region.lkey() != entry.lkey()) {
      region = context.regionOf(entry);
      latest = region;
    }
    if (region == null) {
      throw new VerbsException(
          Errno.EINVAL, VERB, "inline data is in no region, nor bytes of its own");
    }
    return region.hostAddress(entry);
  }

  private long copyOf(ByteBuffer bytes) {
    long copy = memory.take(bytes.remaining());
    RawMemory.putBytes(copy, bytes);
    return copy;
  }

  private void writeOperation(long at, SendWr wr) {
    if (wr instanceof SendWr.RemoteAccess remote) {
      RawMemory.putLong(at + REMOTE_ADDR, remote.remoteAddr());
      RawMemory.putInt(at + RKEY, remote.rkey());
    }
    if (wr instanceof SendWr.WithImmediate immediate) {
      RawMemory.putInt(at + IMM_DATA, RawMemory.networkOrder(immediate.immData()));
    }
    switch (wr) {
      case UdWr ud -> {
        writeOperation(at, ud.wr());
        RawMemory.putLong(at + AH, context.addressOf(ud.ah(), VERB));
        RawMemory.putInt(at + REMOTE_QPN, ud.remoteQpn());
        RawMemory.putInt(at + REMOTE_QKEY, ud.remoteQkey());
      }
      case XrcWr xrc -> {
        writeOperation(at, xrc.wr());
        RawMemory.putInt(at + REMOTE_SRQN, xrc.remoteSrqn());
      }
      case AtomicCmpAndSwpWr swap -> {
        RawMemory.putLong(at + COMPARE_ADD, swap.compare());
        RawMemory.putLong(at + SWAP, swap.swap());
        RawMemory.putInt(at + ATOMIC_RKEY, swap.rkey());
      }
      case AtomicFetchAndAddWr add -> {
        RawMemory.putLong(at + COMPARE_ADD, add.add());
        RawMemory.putInt(at + ATOMIC_RKEY, add.rkey());
      }
      case SendWithInvWr invalidating ->
          RawMemory.putInt(at + IMM_DATA, invalidating.invalidateRkey());
      case LocalInvWr invalidating ->
          RawMemory.putInt(at + IMM_DATA, invalidating.invalidateRkey());
      case BindMwWr bind -> {
        RawMemory.putLong(at + MW, context.addressOf(bind.mw(), VERB));
        RawMemory.putInt(at + MW_RKEY, bind.rkey());
        NativeMemoryWindow.writeBindInfo(at + BIND_INFO, bind.binding(), context, VERB);
      }
      case TsoWr tso -> {
        int header = tso.hdr().remaining();
        if (header > MAX_SHORT || tso.mss() < 1 || tso.mss() > MAX_SHORT) {
          throw new VerbsException(
              Errno.EINVAL, VERB, "a header of " + header + ", segments of " + tso.mss());
        }
        RawMemory.putLong(at + TSO_HDR, copyOf(tso.hdr()));
        RawMemory.putShort(at + TSO_HDR_SZ, header);
        RawMemory.putShort(at + TSO_MSS, tso.mss());
      }
      case FlushWr flush ->
          throw new VerbsException(
              Errno.EOPNOTSUPP, VERB, "struct ibv_send_wr has no members for a FLUSH");
      default -> {}
    }
  }

  /** Throws what the function says, for the request that it refuses. */
  static void check(int status, long first, long bad) {
    if (status != 0) {
      throw ReceiveRequests.refusal(status, ReceiveRequests.indexOf(bad, first, SIZE), VERB);
    }
  }
}

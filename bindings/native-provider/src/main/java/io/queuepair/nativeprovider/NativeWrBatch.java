// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * Sends that are put together call by call. A queue pair has one such object, which each batch uses
 * again: starting a batch allocates nothing. The driver learns of a request when the next one
 * begins, or at the end, so that what a request lacks is found before the driver looks at it.
 */
final class NativeWrBatch implements WrBatch {
  private static final int WR_ID = VerbsAbi.offset("ibv_qp_ex.wr_id");
  private static final int WR_FLAGS = VerbsAbi.offset("ibv_qp_ex.wr_flags");
  private static final String COMPLETE = "ibv_wr_complete";
  private static final int ATOMIC_WRITE_BYTES = 8;
  private static final long MAX_FLUSH_BYTES = 0xffff_ffffL;

  private final NativeExtendedQueuePair qp;
  private final long struct;
  private final PostingFunctions functions;
  private final WorkMemory memory = new WorkMemory();
  private final boolean needsUdAddr;
  private final boolean needsSrqn;

  private Thread owner;

  /** How many requests were begun; the last of them is the current one. */
  private int requests;

  private boolean takesData;
  private boolean hasData;
  private boolean takesAddress;
  private boolean hasAddress;

  /** The first mistake; null if there is none. */
  private String mistake;

  private int mistakeErrno;

  /** The request that has it. */
  private int mistakeIndex;

  NativeWrBatch(NativeExtendedQueuePair qp, long struct) {
    this.qp = qp;
    this.struct = struct;
    boolean hasFlush = qp.initAttrEx().sendOpsFlags().contains(SendOpsFlag.WITH_FLUSH);
    functions = new PostingFunctions(struct, hasFlush);
    needsUdAddr = qp.initAttr().qpType() == QpType.UD;
    needsSrqn = qp.initAttr().qpType() == QpType.XRC_SEND;
  }

  /** Begins, by the thread that holds the lock of sends. */
  void start() {
    owner = Thread.currentThread();
    requests = 0;
    mistake = null;
    hasAddress = true;
    functions.start(struct);
  }

  private void check() {
    if (owner != Thread.currentThread()) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_wr", "the batch has ended, or belongs to another thread");
    }
  }

  private NativeWrBatch fail(String text) {
    if (mistake == null) {
      mistake = text;
      mistakeErrno = Errno.EINVAL.code();
      mistakeIndex = Math.max(0, requests - 1);
    }
    return this;
  }

  /** Begins a request, if the queue pair has the operation; else it is a mistake. */
  private boolean begin(PostingFunctions.Operation operation) {
    check();
    finish();
    requests++;
    if (!functions.has(operation)) {
      fail("operation " + operation + " was not asked for, or the device does not have it");
    }
    takesData = operation.takesData();
    hasData = false;
    takesAddress = operation.isRemote() && (needsUdAddr || needsSrqn);
    hasAddress = !takesAddress;
    return mistake == null;
  }

  /** Ends the request that was begun last. A request without data has no entries. */
  private void finish() {
    if (requests == 0 || mistake != null) {
      return;
    }
    if (!hasAddress) {
      fail("the request has no address");
    } else if (takesData && !hasData) {
      functions.setSgeList(struct, 0, 0);
    }
  }

  /** Begins to set data, if the request takes some. */
  private boolean beginData() {
    check();
    if (requests == 0 || !takesData || hasData) {
      fail(requests == 0 ? "data without a request" : "the request takes no data, or has some");
    }
    hasData = true;
    return mistake == null;
  }

  @Override
  public WrBatch wrId(long wrId) {
    check();
    RawMemory.putLong(struct + WR_ID, wrId);
    return this;
  }

  @Override
  public WrBatch wrFlags(Set<SendFlag> flags) {
    check();
    if (flags == null || flags.contains(SendFlag.INLINE)) {
      return fail("flags are missing, or INLINE is among them");
    }
    RawMemory.putInt(struct + WR_FLAGS, SendRequests.maskOf(flags));
    return this;
  }

  @Override
  public WrBatch send() {
    if (begin(PostingFunctions.Operation.SEND)) {
      functions.send(struct);
    }
    return this;
  }

  @Override
  public WrBatch sendImm(int immData) {
    if (begin(PostingFunctions.Operation.SEND_IMM)) {
      functions.withNumber(
          PostingFunctions.Operation.SEND_IMM, struct, RawMemory.networkOrder(immData));
    }
    return this;
  }

  @Override
  public WrBatch sendInv(int invalidateRkey) {
    if (begin(PostingFunctions.Operation.SEND_INV)) {
      functions.withNumber(PostingFunctions.Operation.SEND_INV, struct, invalidateRkey);
    }
    return this;
  }

  @Override
  public WrBatch sendTso(ByteBuffer hdr, int mss) {
    if (begin(PostingFunctions.Operation.SEND_TSO)) {
      if (hdr == null || mss < 1 || mss > 0xffff || hdr.remaining() > 0xffff) {
        return fail("no header, or a segment of " + mss + " bytes");
      }
      functions.sendTso(struct, copyOf(hdr), (short) hdr.remaining(), (short) mss);
    }
    return this;
  }

  @Override
  public WrBatch rdmaRead(int rkey, long remoteAddr) {
    if (begin(PostingFunctions.Operation.RDMA_READ)) {
      functions.remote(PostingFunctions.Operation.RDMA_READ, struct, rkey, remoteAddr);
    }
    return this;
  }

  @Override
  public WrBatch rdmaWrite(int rkey, long remoteAddr) {
    if (begin(PostingFunctions.Operation.RDMA_WRITE)) {
      functions.remote(PostingFunctions.Operation.RDMA_WRITE, struct, rkey, remoteAddr);
    }
    return this;
  }

  @Override
  public WrBatch rdmaWriteImm(int rkey, long remoteAddr, int immData) {
    if (begin(PostingFunctions.Operation.RDMA_WRITE_IMM)) {
      functions.rdmaWriteImm(struct, rkey, remoteAddr, RawMemory.networkOrder(immData));
    }
    return this;
  }

  @Override
  public WrBatch atomicCmpSwp(int rkey, long remoteAddr, long compare, long swap) {
    if (begin(PostingFunctions.Operation.ATOMIC_CMP_SWP)) {
      functions.atomicCmpSwp(struct, rkey, remoteAddr, compare, swap);
    }
    return this;
  }

  @Override
  public WrBatch atomicFetchAdd(int rkey, long remoteAddr, long add) {
    if (begin(PostingFunctions.Operation.ATOMIC_FETCH_ADD)) {
      functions.fourArguments(
          PostingFunctions.Operation.ATOMIC_FETCH_ADD, struct, rkey, remoteAddr, add);
    }
    return this;
  }

  @Override
  public WrBatch atomicWrite(int rkey, long remoteAddr, ByteBuffer value) {
    if (begin(PostingFunctions.Operation.ATOMIC_WRITE)) {
      if (value == null || value.remaining() != ATOMIC_WRITE_BYTES) {
        return fail("an atomic write has 8 bytes");
      }
      functions.fourArguments(
          PostingFunctions.Operation.ATOMIC_WRITE, struct, rkey, remoteAddr, copyOf(value));
    }
    return this;
  }

  @Override
  public WrBatch flush(
      int rkey,
      long remoteAddr,
      long length,
      Set<PlacementType> placements,
      SelectivityLevel level) {
    if (begin(PostingFunctions.Operation.FLUSH)) {
      int types = placements == null ? 0 : maskOf(placements);
      if (types == 0 || level == null || length < 0 || length > MAX_FLUSH_BYTES) {
        return fail("no placement to wait for, no level, or a range of " + length + " bytes");
      }
      functions.flush(struct, rkey, remoteAddr, length, (byte) types, (byte) level.code());
    }
    return this;
  }

  /** As VerbsConstant.mask, without the iterator. */
  private static int maskOf(Set<PlacementType> placements) {
    return bitOf(placements, PlacementType.GLOBAL) | bitOf(placements, PlacementType.PERSISTENT);
  }

  private static int bitOf(Set<PlacementType> placements, PlacementType type) {
    return placements.contains(type) ? type.code() : 0;
  }

  @Override
  public WrBatch bindMw(MemoryWindow mw, int rkey, MwBindInfo binding) {
    if (begin(PostingFunctions.Operation.BIND_MW)) {
      if (!(mw instanceof NativeMemoryWindow window) || binding == null) {
        return fail("no window of this provider, or no binding");
      }
      memory.reserve(NativeMemoryWindow.BIND_INFO_BYTES);
      long info = memory.take(NativeMemoryWindow.BIND_INFO_BYTES);
      try {
        NativeMemoryWindow.writeBindInfo(info, binding, qp.context(), "ibv_wr_bind_mw");
        functions.bindMw(struct, qp.addressOf(window, "ibv_wr_bind_mw"), rkey, info);
      } catch (VerbsException e) {
        return fail(e.getMessage());
      }
    }
    return this;
  }

  @Override
  public WrBatch localInv(int invalidateRkey) {
    if (begin(PostingFunctions.Operation.LOCAL_INV)) {
      functions.withNumber(PostingFunctions.Operation.LOCAL_INV, struct, invalidateRkey);
    }
    return this;
  }

  @Override
  public WrBatch setSge(Sge sge) {
    if (beginData()) {
      if (sge == null || sge.hasInlineData()) {
        return fail("no entry, or one with bytes of its own");
      }
      functions.setSge(struct, sge.lkey(), sge.addr(), sge.length());
    }
    return this;
  }

  @Override
  public WrBatch setSgeList(List<Sge> sgList) {
    if (beginData()) {
      if (sgList == null || hasNoMemory(sgList)) {
        return fail("no entries, or one with bytes of its own");
      }
      long bytes = (long) sgList.size() * SgeList.SIZE;
      memory.reserve(bytes);
      long list = memory.take(bytes);
      SgeList.write(list, sgList);
      functions.setSgeList(struct, sgList.size(), list);
    }
    return this;
  }

  /** Whether an entry is missing, or has bytes of its own. */
  private static boolean hasNoMemory(List<Sge> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) == null || entries.get(i).hasInlineData()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public WrBatch setInlineData(ByteBuffer bytes) {
    if (beginData()) {
      if (bytes == null) {
        return fail("no data");
      }
      functions.setInlineData(struct, copyOf(bytes), bytes.remaining());
    }
    return this;
  }

  @Override
  public WrBatch setInlineDataList(List<ByteBuffer> parts) {
    if (beginData()) {
      if (parts == null || parts.contains(null)) {
        return fail("no data");
      }
      int total = 0;
      for (int i = 0; i < parts.size(); i++) {
        total += parts.get(i).remaining();
      }
      memory.reserve(total);
      long all = memory.take(total);
      long at = all;
      for (int i = 0; i < parts.size(); i++) {
        RawMemory.putBytes(at, parts.get(i));
        at += parts.get(i).remaining();
      }
      functions.setInlineData(struct, all, total);
    }
    return this;
  }

  private long copyOf(ByteBuffer bytes) {
    memory.reserve(bytes.remaining());
    long copy = memory.take(bytes.remaining());
    RawMemory.putBytes(copy, bytes);
    return copy;
  }

  @Override
  public WrBatch setUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
    if (beginAddress(needsUdAddr)) {
      if (!(ah instanceof NativeAddressHandle handle)) {
        return fail("no address handle of this provider");
      }
      try {
        long address = qp.addressOf(handle, "ibv_wr_set_ud_addr");
        functions.setUdAddr(struct, address, remoteQpn, remoteQkey);
      } catch (VerbsException e) {
        return fail(e.getMessage());
      }
    }
    return this;
  }

  @Override
  public WrBatch setXrcSrqn(int remoteSrqn) {
    if (beginAddress(needsSrqn)) {
      functions.setXrcSrqn(struct, remoteSrqn);
    }
    return this;
  }

  private boolean beginAddress(boolean isOfType) {
    check();
    if (requests == 0 || !isOfType || !takesAddress || hasAddress) {
      fail("the request takes no such address, or has one");
    }
    hasAddress = true;
    return mistake == null;
  }

  @Override
  public void complete() {
    check();
    finish();
    try {
      if (mistake == null) {
        mistakeErrno = Math.abs(functions.complete(struct));
        mistake = mistakeErrno == 0 ? null : "refused, errno " + mistakeErrno;
        mistakeIndex = Math.max(0, requests - 1);
      } else {
        functions.abort(struct);
      }
    } finally {
      end();
    }
    if (mistake != null) {
      Errno errno = ControlFunction.errno(mistakeErrno);
      throw new BadWorkRequestException(errno, COMPLETE, mistakeIndex, mistake);
    }
  }

  @Override
  public void close() {
    if (owner == Thread.currentThread()) {
      try {
        functions.abort(struct);
      } finally {
        end();
      }
    }
  }

  private void end() {
    owner = null;
    qp.unlockSends();
  }
}

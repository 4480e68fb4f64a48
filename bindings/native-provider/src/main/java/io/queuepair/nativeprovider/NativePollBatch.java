// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WcTmInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;

/**
 * A batch of completions. A queue has one such object, which each batch uses again: polling
 * allocates nothing.
 */
final class NativePollBatch implements PollBatch {
  private static final MethodHandle STATUS = DataFunctions.handle("IJ");
  private static final MethodHandle START = DataFunctions.handle("IJJ");
  private static final MethodHandle END = DataFunctions.handle("VJ");
  private static final MethodHandle LONG = DataFunctions.handle("JJ");
  private static final MethodHandle BYTE = DataFunctions.handle("BJ");
  private static final MethodHandle SHORT = DataFunctions.handle("SJ");
  private static final MethodHandle STRUCT = DataFunctions.handle("VJJ");

  private static final int STATUS_FIELD = VerbsAbi.offset("ibv_cq_ex.status");
  private static final int WR_ID = VerbsAbi.offset("ibv_cq_ex.wr_id");
  private static final int TAG_PRIV = VerbsAbi.offset("ibv_wc_tm_info.priv");

  /** Where a batch is. */
  private enum Place {
    ENDED,
    BEFORE_FIRST,
    AT_COMPLETION,
    AFTER_LAST
  }

  private final NativeExtendedCompletionQueue queue;
  private final long cq;
  private final Set<CreateCqWcFlag> fields;
  private final MemorySegment attr = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
  private final MemorySegment start;
  private final MemorySegment next;
  private final MemorySegment end;
  private final MemorySegment opcode;
  private final MemorySegment vendorErr;
  private final MemorySegment wcFlags;
  private final MemorySegment byteLen;
  private final MemorySegment immData;
  private final MemorySegment qpNum;
  private final MemorySegment srcQp;
  private final MemorySegment slid;
  private final MemorySegment sl;
  private final MemorySegment pathBits;
  private final MemorySegment timestamp;
  private final MemorySegment wallclock;
  private final MemorySegment cvlan;
  private final MemorySegment flowTag;
  private final MemorySegment tmInfo;

  /** The thread that began it last; null of one that is never begun, and stays empty. */
  private Thread owner;

  private Place place = Place.ENDED;

  NativePollBatch(NativeExtendedCompletionQueue queue, long cq, Set<CreateCqWcFlag> fields) {
    this.queue = queue;
    this.cq = cq;
    this.fields = fields;
    start = function("start_poll");
    next = function("next_poll");
    end = function("end_poll");
    opcode = function("read_opcode");
    vendorErr = function("read_vendor_err");
    wcFlags = function("read_wc_flags");
    byteLen = function("read_byte_len");
    immData = function("read_imm_data");
    qpNum = function("read_qp_num");
    srcQp = function("read_src_qp");
    slid = function("read_slid");
    sl = function("read_sl");
    pathBits = function("read_dlid_path_bits");
    timestamp = function("read_completion_ts");
    wallclock = function("read_completion_wallclock_ns");
    cvlan = function("read_cvlan");
    flowTag = function("read_flow_tag");
    tmInfo = function("read_tm_info");
  }

  private MemorySegment function(String name) {
    long pointer = RawMemory.getLong(cq + VerbsAbi.offset("ibv_cq_ex." + name));
    return MemorySegment.ofAddress(pointer);
  }

  /** Begins; false if the queue is empty. */
  boolean start() {
    int status;
    try {
      status = (int) START.invokeExact(start, cq, attr.address());
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
    if (status != 0) {
      return false;
    }
    owner = Thread.currentThread();
    place = Place.BEFORE_FIRST;
    return true;
  }

  private void check(Place demanded) {
    boolean isThere = demanded == null || place == demanded;
    if (owner != Thread.currentThread() || !isThere) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_wc_read", "there is no completion, or the batch is another thread's");
    }
  }

  private void check(CreateCqWcFlag field) {
    check(Place.AT_COMPLETION);
    if (!fields.contains(field)) {
      throw new VerbsException(Errno.EINVAL, "ibv_wc_read", field + " was not asked for");
    }
  }

  @Override
  public boolean nextPoll() {
    if (owner == null) {
      return false;
    }
    check((Place) null);
    if (place == Place.ENDED) {
      throw new VerbsException(Errno.EINVAL, "ibv_next_poll", "the batch has ended");
    }
    if (place == Place.BEFORE_FIRST || number(next) == 0) {
      place = Place.AT_COMPLETION;
      return true;
    }
    place = Place.AFTER_LAST;
    return false;
  }

  @Override
  public void close() {
    if (place == Place.ENDED) {
      return;
    }
    check((Place) null);
    place = Place.ENDED;
    try {
      END.invokeExact(end, cq);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    } finally {
      queue.endPoll();
    }
  }

  private int number(MemorySegment function) {
    try {
      return (int) STATUS.invokeExact(function, cq);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  private long longNumber(MemorySegment function) {
    try {
      return (long) LONG.invokeExact(function, cq);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  private int byteNumber(MemorySegment function) {
    try {
      return Byte.toUnsignedInt((byte) BYTE.invokeExact(function, cq));
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  @Override
  public long wrId() {
    check(Place.AT_COMPLETION);
    return RawMemory.getLong(cq + WR_ID);
  }

  @Override
  public WcStatus status() {
    check(Place.AT_COMPLETION);
    return Completions.status(RawMemory.getInt(cq + STATUS_FIELD));
  }

  @Override
  public String explain() {
    check(Place.AT_COMPLETION);
    return "";
  }

  @Override
  public WcOpcode readOpcode() {
    check(Place.AT_COMPLETION);
    return Completions.opcode(number(opcode));
  }

  @Override
  public int readVendorErr() {
    check(Place.AT_COMPLETION);
    return number(vendorErr);
  }

  @Override
  public Set<WcFlag> readWcFlags() {
    check(Place.AT_COMPLETION);
    return Completions.flags(number(wcFlags));
  }

  @Override
  public int readByteLen() {
    check(CreateCqWcFlag.WITH_BYTE_LEN);
    return number(byteLen);
  }

  @Override
  public int readImmData() {
    check(CreateCqWcFlag.WITH_IMM);
    return RawMemory.networkOrder(number(immData));
  }

  @Override
  public int readInvalidatedRkey() {
    check(CreateCqWcFlag.WITH_IMM);
    return number(immData);
  }

  @Override
  public int readQpNum() {
    check(CreateCqWcFlag.WITH_QP_NUM);
    return number(qpNum);
  }

  @Override
  public int readSrcQp() {
    check(CreateCqWcFlag.WITH_SRC_QP);
    return number(srcQp);
  }

  @Override
  public int readSlid() {
    check(CreateCqWcFlag.WITH_SLID);
    return number(slid);
  }

  @Override
  public int readSl() {
    check(CreateCqWcFlag.WITH_SL);
    return byteNumber(sl);
  }

  @Override
  public int readDlidPathBits() {
    check(CreateCqWcFlag.WITH_DLID_PATH_BITS);
    return byteNumber(pathBits);
  }

  @Override
  public long readCompletionTs() {
    check(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP);
    return longNumber(timestamp);
  }

  @Override
  public long readCompletionWallclockNs() {
    check(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK);
    return longNumber(wallclock);
  }

  @Override
  public int readCvlan() {
    check(CreateCqWcFlag.WITH_CVLAN);
    try {
      return Short.toUnsignedInt((short) SHORT.invokeExact(cvlan, cq));
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  @Override
  public int readFlowTag() {
    check(CreateCqWcFlag.WITH_FLOW_TAG);
    return number(flowTag);
  }

  @Override
  public WcTmInfo readTmInfo() {
    check(CreateCqWcFlag.WITH_TM_INFO);
    try (Arena arena = Arena.ofConfined()) {
      long info = RawMemory.allocate(arena, VerbsAbi.size("ibv_wc_tm_info"));
      STRUCT.invokeExact(tmInfo, cq, info);
      return new WcTmInfo(RawMemory.getLong(info), RawMemory.getInt(info + TAG_PRIV));
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }
}

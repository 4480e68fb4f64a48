// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.util.concurrent.locks.ReentrantLock;

/** A completion queue that is polled field by field. */
final class NativeExtendedCompletionQueue extends NativeCompletionQueue
    implements ExtendedCompletionQueue {
  private static final int FLAGS_MASK = 1;
  private static final String START = "ibv_start_poll";

  private final NativePollBatch batch;

  /** Batch of a thread that finds nothing, whatever others do. */
  private final NativePollBatch empty;

  private final boolean isSingleThreaded;

  /** Held during a batch. */
  private final ReentrantLock pollLock = new ReentrantLock();

  private NativeExtendedCompletionQueue(NativeContext context, long address, CqInitAttrEx attr) {
    super(context, address, attr.channel());
    batch = new NativePollBatch(this, address, attr.wcFlags());
    empty = new NativePollBatch(this, address, attr.wcFlags());
    isSingleThreaded = attr.flags().contains(CreateCqAttrFlag.SINGLE_THREADED);
  }

  static NativeExtendedCompletionQueue create(NativeContext context, CqInitAttrEx attr) {
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, VerbsAbi.size("ibv_cq_init_attr_ex"));
      RawMemory.putInt(init, attr.cqe());
      long channel = context.addressOrNull(attr.channel(), "ibv_create_cq_ex");
      RawMemory.putLong(init + offset("channel"), channel);
      RawMemory.putInt(init + offset("comp_vector"), attr.compVector());
      long fields = Integer.toUnsignedLong(VerbsConstant.mask(attr.wcFlags()));
      RawMemory.putLong(init + offset("wc_flags"), fields);
      if (!attr.flags().isEmpty()) {
        RawMemory.putInt(init + offset("comp_mask"), FLAGS_MASK);
        RawMemory.putInt(init + offset("flags"), VerbsConstant.mask(attr.flags()));
      }
      long cq = context.functions().createCqEx.pointer(context.address(), init);
      return context.keep(new NativeExtendedCompletionQueue(context, cq, attr));
    }
  }

  private static int offset(String field) {
    return VerbsAbi.offset("ibv_cq_init_attr_ex." + field);
  }

  @Override
  public PollBatch startPoll(PollCqAttr attr) {
    address();
    if (attr.compMask() != 0) {
      throw new VerbsException(Errno.EINVAL, START, "comp_mask " + attr.compMask());
    }
    if (pollLock.isHeldByCurrentThread()) {
      throw new VerbsException(Errno.EINVAL, START, "this thread has a batch open");
    }
    if (isSingleThreaded && pollLock.isLocked()) {
      throw new VerbsException(Errno.EINVAL, START, "another thread polls a queue for one thread");
    }
    pollLock.lock();
    boolean isStarted = batch.start();
    if (!isStarted) {
      pollLock.unlock();
    }
    return isStarted ? batch : empty;
  }

  @Override
  public int poll(WorkCompletion[] into) {
    if (pollLock.isHeldByCurrentThread()) {
      throw new VerbsException(Errno.EINVAL, "ibv_poll_cq", "this thread has a batch open");
    }
    pollLock.lock();
    try {
      return super.poll(into);
    } finally {
      pollLock.unlock();
    }
  }

  void endPoll() {
    pollLock.unlock();
  }

  @Override
  void prepareDestruction() {
    if (pollLock.isHeldByCurrentThread()) {
      batch.close();
    }
    super.prepareDestruction();
  }

  @Override
  void destroy(long address) {
    if (pollLock.isLocked()) {
      throw new VerbsException(Errno.EBUSY, "ibv_destroy_cq", "a batch of polls is open");
    }
    super.destroy(address);
  }
}

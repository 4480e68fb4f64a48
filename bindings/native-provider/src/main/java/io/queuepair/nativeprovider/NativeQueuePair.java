// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.DataInOrderCap;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** A queue pair. */
class NativeQueuePair extends EventElement implements QueuePair {
  private static final int QP_NUM = VerbsAbi.offset("ibv_qp.qp_num");
  private static final int BIND_SEND_FLAGS = VerbsAbi.offset("ibv_mw_bind.send_flags");
  private static final int BIND_INFO = VerbsAbi.offset("ibv_mw_bind.bind_info");
  private static final int MAX_BURST = VerbsAbi.offset("ibv_qp_rate_limit_attr.max_burst_sz");
  private static final int TYPICAL = VerbsAbi.offset("ibv_qp_rate_limit_attr.typical_pkt_sz");

  private static final int MAX_SHORT = 0xffff;

  /** Asks for a mask ({@code IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS}). */
  private static final int RETURN_CAPS = 1;

  /** Null of a target queue pair. */
  private final NativeProtectionDomain pd;

  private final QpInitAttr initAttr;
  private final SendRequests sends;
  private final ReceiveRequests receives = new ReceiveRequests();

  /** Multicast groups that it is attached to. */
  private final Set<Gid> groups = ConcurrentHashMap.newKeySet();

  /** Held while sends are posted, and during a batch. */
  private final ReentrantLock sendLock = new ReentrantLock();

  NativeQueuePair(
      NativeContext context, long address, NativeProtectionDomain pd, QpInitAttr initAttr) {
    super(context, address);
    sends = new SendRequests(context);
    this.pd = pd;
    this.initAttr = initAttr;
  }

  @Override
  public final ProtectionDomain pd() {
    return pd;
  }

  @Override
  public final int qpNum() {
    return RawMemory.getInt(address() + QP_NUM);
  }

  @Override
  public final QpInitAttr initAttr() {
    return initAttr;
  }

  @Override
  public final void modify(QpAttr attr, Set<QpAttrMask> mask) {
    Objects.requireNonNull(attr, "attr");
    Objects.requireNonNull(mask, "mask");
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, NativeQpAttr.SIZE);
      NativeQpAttr.write(struct, attr, mask);
      Libibverbs.MODIFY_QP.status(address(), struct, VerbsConstant.mask(mask));
    }
  }

  @Override
  public final QpAttr query() {
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, NativeQpAttr.SIZE);
      long init = RawMemory.allocate(arena, VerbsAbi.size("ibv_qp_init_attr"));
      int all = NativeQpAttr.ALL & ~QpAttrMask.RATE_LIMIT.code();
      Libibverbs.QUERY_QP.status(address(), struct, all, init);
      return NativeQpAttr.read(struct);
    }
  }

  @Override
  public final void modifyRateLimit(QpRateLimitAttr attr) {
    int typical = attr.typicalPktSz();
    if (attr.rateLimit() < 0 || attr.maxBurstSz() < 0 || typical < 0 || typical > MAX_SHORT) {
      throw new VerbsException(Errno.EINVAL, "ibv_modify_qp_rate_limit", attr + " is out of range");
    }
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, VerbsAbi.size("ibv_qp_rate_limit_attr"));
      RawMemory.putInt(struct, attr.rateLimit());
      RawMemory.putInt(struct + MAX_BURST, attr.maxBurstSz());
      RawMemory.putShort(struct + TYPICAL, typical);
      context().functions().modifyQpRateLimit.status(address(), struct);
    }
  }

  @Override
  public final Set<DataInOrderCap> queryDataInOrder(WrOpcode op) {
    ControlFunction query = Libibverbs.DATA_IN_ORDER;
    long caps = query.value(address(), op.code(), RETURN_CAPS);
    if (caps <= 0) { // Older releases have no flags, and say 1 for a whole message.
      caps = query.value(address(), op.code(), 0);
    }
    return VerbsConstant.flags(DataInOrderCap.class, (int) Math.max(caps, 0));
  }

  @Override
  public final void postSend(List<SendWr> wrs) {
    Objects.requireNonNull(wrs, "wrs");
    lockSends("ibv_post_send");
    try {
      long first = sends.write(wrs);
      long bad = sends.bad();
      if (first != 0) {
        SendRequests.check(context().data().postSend(address(), first, bad), first, bad);
      }
      sends.refuseMistake();
    } finally {
      unlockSends();
    }
  }

  /** Waits for the end of another thread's batch. */
  final void lockSends(String verb) {
    if (sendLock.isHeldByCurrentThread()) {
      throw new VerbsException(Errno.EINVAL, verb, "this thread has a batch open");
    }
    try {
      sendLock.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new VerbsException(Errno.EINTR, verb, "interrupted", e);
    }
  }

  final void unlockSends() {
    sendLock.unlock();
  }

  final boolean isPostedByThisThread() {
    return sendLock.isHeldByCurrentThread();
  }

  @Override
  public final void postRecv(List<RecvWr> wrs) {
    Objects.requireNonNull(wrs, "wrs");
    String verb = "ibv_post_recv";
    synchronized (receives) {
      long first = receives.write(wrs, verb);
      long bad = receives.bad();
      if (first != 0) {
        int status = context().data().postRecv(address(), first, bad);
        ReceiveRequests.check(status, first, bad, verb);
      }
      receives.refuseMistake();
    }
  }

  @Override
  public final void bindMw(MemoryWindow mw, MwBind bind) {
    String verb = "ibv_bind_mw";
    long address = addressOf(mw, verb);
    if (mw.type() != MwType.TYPE_1) {
      throw new VerbsException(Errno.EINVAL, verb, "the window is of type 2");
    }
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, VerbsAbi.size("ibv_mw_bind"));
      RawMemory.putLong(struct, bind.wrId());
      RawMemory.putInt(struct + BIND_SEND_FLAGS, SendRequests.maskOf(bind.flags()));
      NativeMemoryWindow.writeBindInfo(struct + BIND_INFO, bind.binding(), context(), verb);
      context().functions().bindMw.status(address(), address, struct);
    }
  }

  @Override
  public final Flow createFlow(FlowAttr attr) {
    return NativeFlow.create(this, attr);
  }

  @Override
  public final void attachMcast(Gid group) {
    multicast(Libibverbs.ATTACH_MCAST, group);
    groups.add(group);
  }

  @Override
  public final void detachMcast(Gid group) {
    multicast(Libibverbs.DETACH_MCAST, group);
    groups.remove(group);
  }

  private void multicast(ControlFunction function, Gid group) {
    Objects.requireNonNull(group, "group");
    try (Arena arena = Arena.ofConfined()) {
      long gid = RawMemory.allocate(arena, Gids.GID_BYTES);
      Gids.write(gid, group);
      function.status(address(), gid, (short) 0);
    }
  }

  @Override
  void prepareDestruction() {
    acknowledgeAsyncEvents(EventType.QP_FATAL);
    List.copyOf(groups).forEach(this::detachMcast);
  }

  @Override
  void destroy(long address) {
    if (sendLock.isLocked()) {
      throw new VerbsException(Errno.EBUSY, "ibv_destroy_qp", "a batch is open");
    }
    asyncEvents().awaitNone("ibv_destroy_qp");
    Libibverbs.DESTROY_QP.status(address);
  }

  @Override
  public String toString() {
    String number = isClosed() ? "" : String.format(" 0x%06x", qpNum());
    return "QP" + number + " of " + context().device().name();
  }
}

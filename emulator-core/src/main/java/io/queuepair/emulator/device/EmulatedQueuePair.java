// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.XrcTarget;
import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.emulator.queue.ReceiveReader;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendPoster;
import io.queuepair.emulator.queue.SendReader;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.DataInOrderCap;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrOpcode;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A queue pair as the application sees it. The engine does its work. */
class EmulatedQueuePair extends ContextObject
    implements QueuePair, SendPoster, ReceivePoster, XrcTarget.Handle {
  private static final String BIND_MW = "ibv_bind_mw";
  private static final String POST_RECV = "ibv_post_recv";
  private static final String POST_SEND = "ibv_post_send";
  private static final String ATTACH = "ibv_attach_mcast";

  /** Hexadecimal digits of a number of 24 bits. */
  private static final int QPN_DIGITS = 6;

  /** Null for an XRC target queue pair. */
  private final @Nullable EmulatedProtectionDomain pd;

  private final QpInitAttr initAttr;
  private final QpEngine qpEngine;

  /**
   * Session of the thread that posts sends, for the time of a batch or of one call; also where a
   * thread domain promises that there is only one thread.
   */
  private final BatchSession postingSession = new BatchSession("sends", true);

  /**
   * Creates the object for a queue pair of the adapter.
   *
   * @param pd null for an XRC target queue pair
   * @param initAttr creation attributes, with the capacities that were granted
   * @param neededLifecycles the objects that it needs, which it keeps from being destroyed
   */
  EmulatedQueuePair(
      EmulatedContext context,
      @Nullable EmulatedProtectionDomain pd,
      QpInitAttr initAttr,
      QpEngine qpEngine,
      List<ObjectLifecycle> neededLifecycles) {
    super(context, "queue pair", neededLifecycles);
    this.pd = pd;
    this.initAttr = initAttr;
    this.qpEngine = qpEngine;
  }

  @Override
  public final void raise(EventType type) {
    context().events().raise(AsyncEvent.of(type, this));
  }

  final QpEngine qpEngine() {
    return qpEngine;
  }

  final BatchSession posting() {
    return postingSession;
  }

  /** Begins to post sends, for one call or for a batch. */
  final void openSends(String verb) {
    enterDomain();
    boolean isOpen = false;
    try {
      postingSession.open(verb);
      isOpen = true;
    } finally {
      if (!isOpen) {
        leaveDomain();
      }
    }
  }

  final void closeSends() {
    postingSession.close();
    leaveDomain();
  }

  private void enterDomain() {
    if (pd != null) {
      pd.enter("QP", qpEngine.qp().qpn());
    }
  }

  private void leaveDomain() {
    if (pd != null) {
      pd.leave();
    }
  }

  @Override
  public @Nullable ProtectionDomain pd() {
    return pd;
  }

  @Override
  public int qpNum() {
    return qpEngine.qp().qpn();
  }

  @Override
  public QpInitAttr initAttr() {
    return initAttr;
  }

  @Override
  public void modify(QpAttr attr, Set<QpAttrMask> mask) {
    Objects.requireNonNull(attr, "attr");
    Objects.requireNonNull(mask, "mask");
    try (Step step = driver().step("ibv_modify_qp", lifecycle())) {
      step.hca().queuePairs().modify(qpEngine, attr, mask);
    }
  }

  @Override
  public QpAttr query() {
    try (Step step = driver().call("ibv_query_qp", lifecycle())) {
      return step.hca().queuePairs().query(qpEngine);
    }
  }

  @Override
  public final void postSend(List<SendWr> wrs) {
    checkNoneNull(wrs, "wrs");
    postSend(wrs.size(), wrs, (wrList, index, request) -> request.set(wrList.get(index)));
  }

  @Override
  public final <S> int postSend(int count, S source, SendReader<S> reader) {
    driver().beginVerb(POST_SEND);
    openSends(POST_SEND);
    try {
      try (Step step = driver().resumeSend(POST_SEND)) {
        step.check(lifecycle());
        return step.hca().queuePairs().postSend(qpEngine, count, source, reader);
      }
    } finally {
      closeSends();
    }
  }

  @Override
  public final void bindMw(MemoryWindow mw, MwBind bind) {
    Objects.requireNonNull(bind, "bind");
    driver().beginVerb(BIND_MW);
    openSends(BIND_MW);
    try (Step step = driver().resume(BIND_MW)) {
      step.check(lifecycle());
      EmulatedMemoryWindow window = EmulatedMemoryWindow.toBind(step, driver(), mw, bind.binding());
      step.hca().queuePairs().bind(step.verb(), qpEngine, window, bind);
    } finally {
      closeSends();
    }
  }

  @Override
  public void modifyRateLimit(QpRateLimitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().step("ibv_modify_qp_rate_limit", lifecycle())) {
      step.hca().queuePairs().limitRate(step.verb(), qpEngine, attr);
    }
  }

  @Override
  public Set<DataInOrderCap> queryDataInOrder(WrOpcode op) {
    Objects.requireNonNull(op, "op");
    try (Step step = driver().step("ibv_query_qp_data_in_order", lifecycle())) {
      return EnumSet.noneOf(DataInOrderCap.class);
    }
  }

  @Override
  public void postRecv(List<RecvWr> wrs) {
    checkNoneNull(wrs, "wrs");
    postRecv(wrs.size(), wrs, (wrList, index, wqe) -> wqe.set(wrList.get(index)));
  }

  @Override
  public <S> void postRecv(int count, S source, ReceiveReader<S> reader) {
    driver().beginVerb(POST_RECV);
    enterDomain();
    try (Step step = driver().resumeReceive(POST_RECV)) {
      step.check(lifecycle());
      step.hca().queuePairs().postReceive(step.verb(), qpEngine, count, source, reader);
    } finally {
      leaveDomain();
    }
  }

  @Override
  public final void tellRoomTo(@Nullable IntConsumer listener) {
    try (Step step = driver().call()) {
      qpEngine.qp().receiveQueue().tellRoomTo(listener);
    }
  }

  @Override
  public final long postedBytes() {
    try (Step step = driver().call()) {
      return qpEngine.qp().receiveQueue().total(RecvWqe::memoryBytes)
          + qpEngine.qp().sendQueue().total(SendWqe::memoryBytes);
    }
  }

  @Override
  public Flow createFlow(FlowAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().call("ibv_create_flow", lifecycle())) {
      FlowTable.Rule rule = step.hca().steering().createFlow(step.verb(), qpEngine, attr);
      return context().adopt(step, new EmulatedFlow(this, attr, rule));
    }
  }

  @Override
  public void attachMcast(Gid mgid) {
    Objects.requireNonNull(mgid, "group");
    try (Step step = driver().call(ATTACH, lifecycle())) {
      if (!step.hca().steering().attachMcast(ATTACH, qpEngine, mgid)) {
        return;
      }
      lifecycle().addUser();
    }
    try {
      driver().attachments().join(mgid.toAddress());
    } catch (FabricException e) {
      try (Step step = driver().resume(ATTACH)) {
        detach(step.hca(), mgid);
      }
      throw new VerbsException(Errno.EOPNOTSUPP, ATTACH, e.getMessage(), e);
    }
  }

  @Override
  public void detachMcast(Gid mgid) {
    Objects.requireNonNull(mgid, "group");
    try (Step step = driver().step("ibv_detach_mcast", lifecycle())) {
      step.hca().steering().checkAttached(step.verb(), qpEngine, mgid);
      detach(step.hca(), mgid);
    }
    driver().attachments().leaveUnused();
  }

  private void detach(Hca hca, Gid mgid) {
    hca.engine().groups().detach(mgid, qpEngine);
    lifecycle().removeUser();
  }

  @Override
  public final String toString() {
    String name = "QP 0x" + HexFormat.of().toHexDigits(qpEngine.qp().qpn(), QPN_DIGITS);
    return lifecycle().hasEnded()
        ? context().describe(this, name, qpEngine.qp().type())
        : context().describe(this, name, qpEngine.qp().type(), qpEngine.qp().state());
  }

  @Override
  public void close() {
    context().destroyAcknowledged("ibv_destroy_qp", this);
  }

  @Override
  public void release(Hca hca) {
    hca.queuePairs().close(qpEngine, this);
  }
}

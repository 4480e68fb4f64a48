// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.hca.CqVerbs;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.WqVerbs;
import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.emulator.queue.ReceiveReader;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A work queue as the application sees it. The engine fills its receives. */
final class EmulatedWorkQueue extends ContextObject implements WorkQueue, ReceivePoster {
  private static final String POST_RECV = "ibv_post_wq_recv";

  private final EmulatedProtectionDomain pd;
  private final WqInitAttr initAttr;
  private final QpEngine qpEngine;

  /**
   * Creates the object for a work queue of the adapter.
   *
   * @param initAttr creation attributes, with the capacities that were granted
   */
  private EmulatedWorkQueue(
      EmulatedProtectionDomain pd,
      WqInitAttr initAttr,
      QpEngine qpEngine,
      List<ObjectLifecycle> neededLifecycles) {
    super(pd.context(), "work queue", neededLifecycles);
    this.pd = pd;
    this.initAttr = initAttr;
    this.qpEngine = qpEngine;
  }

  static WorkQueue create(Step step, EmulatedContext context, WqInitAttr attr) {
    if (attr.pd() == null
        || attr.pd().context() != context
        || attr.cq() == null
        || attr.cq().context() != context) {
      throw step.refusal(
          Errno.EINVAL, "protection domain and completion queue must be there and of the context");
    }
    EmulatedProtectionDomain pd = (EmulatedProtectionDomain) attr.pd();
    EmulatedCompletionQueue cq = (EmulatedCompletionQueue) attr.cq();
    List<ObjectLifecycle> neededLifecycles = List.of(pd.lifecycle(), cq.lifecycle());
    neededLifecycles.forEach(step::check);
    CqVerbs.checkUsable(step.verb(), cq.ring());
    AsyncEvents.EventSource events = context.events().new EventSource();
    QpEngine qpEngine =
        step.hca().workQueues().create(step.verb(), attr, pd.number(), cq.ring(), events);
    int sges = WqVerbs.grantedSges(attr);
    WqInitAttr grantedAttr =
        new WqInitAttr(attr.wqType(), attr.maxWr(), sges, pd, cq, attr.createFlags());
    EmulatedWorkQueue wq = new EmulatedWorkQueue(pd, grantedAttr, qpEngine, neededLifecycles);
    // A work queue only receives frames: its one event is that it has failed.
    events.setAbout(type -> AsyncEvent.of(EventType.WQ_FATAL, wq));
    return context.adopt(step, wq);
  }

  public QpEngine queue() {
    return qpEngine;
  }

  @Override
  public int wqNum() {
    return qpEngine.qp().qpn();
  }

  @Override
  public WqState state() {
    try (Step step = driver().call()) {
      return WqVerbs.stateOf(qpEngine.qp());
    }
  }

  @Override
  public WqInitAttr initAttr() {
    return initAttr;
  }

  @Override
  public void modify(WqAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().step("ibv_modify_wq", lifecycle())) {
      step.hca().workQueues().modify(step.verb(), qpEngine, attr);
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
    pd.enter("WQ", qpEngine.qp().qpn());
    try (Step step = driver().resumeReceive(POST_RECV)) {
      step.check(lifecycle());
      step.hca().queuePairs().postReceive(step.verb(), qpEngine, count, source, reader);
    } finally {
      pd.leave();
    }
  }

  @Override
  public void tellRoomTo(@Nullable IntConsumer listener) {
    try (Step step = driver().call()) {
      qpEngine.qp().receiveQueue().tellRoomTo(listener);
    }
  }

  @Override
  public long postedBytes() {
    try (Step step = driver().call()) {
      return qpEngine.qp().receiveQueue().total(RecvWqe::memoryBytes);
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "WQ " + wqNum(), WqVerbs.stateOf(qpEngine.qp()));
  }

  @Override
  public void close() {
    context().destroyAcknowledged("ibv_destroy_wq", this);
  }

  @Override
  public void release(Hca hca) {
    hca.workQueues().destroy(qpEngine);
  }
}

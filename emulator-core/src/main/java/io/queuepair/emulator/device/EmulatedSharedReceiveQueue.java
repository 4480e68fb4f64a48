// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.CqVerbs;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.emulator.queue.ReceiveReader;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.SharedReceiveRing.XrcBinding;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A shared receive queue; its entries are in a {@link SharedReceiveRing}. */
final class EmulatedSharedReceiveQueue extends ContextObject
    implements SharedReceiveQueue, ReceivePoster {
  private static final String POST = "ibv_post_srq_recv";

  private final EmulatedProtectionDomain pd;
  private final SharedReceiveRing ring;

  private EmulatedSharedReceiveQueue(
      EmulatedProtectionDomain pd, SharedReceiveRing ring, List<ObjectLifecycle> neededLifecycles) {
    super(pd.context(), "shared receive queue", neededLifecycles);
    this.pd = pd;
    this.ring = ring;
  }

  /**
   * Creates a shared receive queue.
   *
   * @param xrc null unless it is of type XRC
   * @param otherLifecycles objects that it needs besides its protection domain
   */
  static SharedReceiveQueue create(
      Step step,
      EmulatedProtectionDomain pd,
      @Nullable XrcBinding xrc,
      SrqAttr attr,
      List<ObjectLifecycle> otherLifecycles) {
    EmulatedContext context = pd.context();
    List<ObjectLifecycle> neededLifecycles = new ArrayList<>(List.of(pd.lifecycle()));
    neededLifecycles.addAll(otherLifecycles);
    neededLifecycles.forEach(step::check);
    if (xrc != null) {
      CqVerbs.checkUsable(step.verb(), xrc.completions());
    }
    AsyncEvents.EventSource events = context.events().new EventSource();
    SharedReceiveRing ring =
        step.hca().sharedReceiveQueues().create(step.verb(), pd.number(), xrc, attr, events);
    EmulatedSharedReceiveQueue srq = new EmulatedSharedReceiveQueue(pd, ring, neededLifecycles);
    events.setAbout(type -> AsyncEvent.of(type, srq));
    return context.adopt(step, srq);
  }

  public SharedReceiveRing ring() {
    return ring;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public int srqNum() {
    if (ring.xrc() == null) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, "ibv_get_srq_num", "only queues of type XRC are addressed by number");
    }
    return ring.number();
  }

  @Override
  public void postRecv(List<RecvWr> wrs) {
    checkNoneNull(wrs, "wrs");
    postRecv(wrs.size(), wrs, (wrList, index, wqe) -> wqe.set(wrList.get(index)));
  }

  @Override
  public <S> void postRecv(int count, S source, ReceiveReader<S> reader) {
    driver().beginVerb(POST);
    pd.enter("SRQ", ring.number());
    try (Step step = driver().resumeReceive(POST)) {
      step.check(lifecycle());
      step.hca().sharedReceiveQueues().post(ring, count, source, reader);
    } finally {
      pd.leave();
    }
  }

  @Override
  public void tellRoomTo(@Nullable IntConsumer listener) {
    try (Step step = driver().call()) {
      ring.ring().tellRoomTo(listener);
    }
  }

  @Override
  public long postedBytes() {
    try (Step step = driver().call()) {
      return ring.ring().total(RecvWqe::memoryBytes);
    }
  }

  @Override
  public void modify(SrqAttr attr, Set<SrqAttrMask> mask) {
    Objects.requireNonNull(attr, "attr");
    Objects.requireNonNull(mask, "mask");
    try (Step step = driver().step("ibv_modify_srq", lifecycle())) {
      step.hca().sharedReceiveQueues().modify(step.verb(), ring, attr, mask);
    }
  }

  @Override
  public SrqAttr query() {
    try (Step step = driver().call("ibv_query_srq", lifecycle())) {
      return new SrqAttr(ring.ring().capacity(), ring.maxSge(), ring.limit());
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "SRQ " + ring.number(), ring.ring().capacity() + " entries");
  }

  @Override
  public void close() {
    context().destroyAcknowledged("ibv_destroy_srq", this);
  }

  @Override
  public void release(Hca hca) {
    hca.engine().sharedQueues().remove(ring);
    hca.usage().destroyed(ring);
  }
}

package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A shared receive queue; its entries are in a {@link SharedReceiveRing}. */
final class EmulatedSharedReceiveQueue implements SharedReceiveQueue, Owned {
  private final EmulatedProtectionDomain pd;
  private final SharedReceiveRing ring;

  /** What else it needs: for type XRC its domain and completion queue. */
  private final List<Lifetime> needs;

  private final Lifetime lifetime = new Lifetime("shared receive queue");

  EmulatedSharedReceiveQueue(
      EmulatedProtectionDomain pd, SharedReceiveRing ring, List<Lifetime> needs) {
    this.pd = pd;
    this.ring = ring;
    this.needs = needs;
  }

  SharedReceiveRing ring() {
    return ring;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
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
    driver().enter("ibv_post_srq_recv");
    pd.enter("SRQ", ring.number());
    try {
      driver().postReceive(this, wrs, EmulatedSharedReceiveQueue::post);
    } finally {
      pd.leave();
    }
  }

  /** Refuses null before anything is posted. */
  static void checkNoneNull(List<?> list, String name) {
    for (int i = 0; i < Objects.requireNonNull(list, name).size(); i++) {
      Objects.requireNonNull(list.get(i), name);
    }
  }

  private static void post(Hca hca, EmulatedSharedReceiveQueue queue, List<RecvWr> wrs) {
    queue.lifetime.check("ibv_post_srq_recv");
    hca.sharedReceiveQueues().post(queue.ring, wrs);
  }

  @Override
  public void modify(SrqAttr attr, Set<SrqAttrMask> mask) {
    Objects.requireNonNull(attr, "attr");
    Objects.requireNonNull(mask, "mask");
    driver().enter("ibv_modify_srq");
    driver()
        .step(
            hca -> {
              lifetime.check("ibv_modify_srq");
              hca.sharedReceiveQueues().modify(ring, attr, mask);
            });
  }

  @Override
  public SrqAttr query() {
    driver().enter("ibv_query_srq");
    return driver()
        .call(
            hca -> {
              lifetime.check("ibv_query_srq");
              return new SrqAttr(ring.ring().capacity(), ring.maxSge(), ring.limit());
            });
  }

  @Override
  public String toString() {
    return pd.emulatedContext()
        .describe(this, "SRQ " + ring.number(), ring.ring().capacity() + " entries");
  }

  @Override
  public void close() {
    driver().failAsPlanned("ibv_destroy_srq");
    pd.emulatedContext().awaitAcknowledgements("ibv_destroy_srq", this);
    pd.emulatedContext().destroy("ibv_destroy_srq", this);
  }

  @Override
  public void release(Hca hca) {
    hca.engine().sharedQueues().remove(ring);
    hca.usage().destroyed(ring);
    pd.lifetime().removeUser();
    needs.forEach(Lifetime::removeUser);
  }

  HcaDriver driver() {
    return pd.emulatedContext().driver();
  }
}

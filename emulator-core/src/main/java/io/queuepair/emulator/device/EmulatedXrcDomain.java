package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;

/** A domain of extended reliable connections: a number, and how many objects carry it. */
final class EmulatedXrcDomain implements XrcDomain, Owned {
  private static final QpCap NO_QUEUES = new QpCap(0, 0, 0, 0, 0);

  private final EmulatedContext context;
  private final int number;
  private final Lifetime lifetime = new Lifetime("XRC domain");

  EmulatedXrcDomain(EmulatedContext context, int number) {
    this.context = context;
    this.number = number;
  }

  int number() {
    return number;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public QueuePair createQp() {
    QpInitAttr target = new QpInitAttr(QpType.XRC_RECV, null, null, null, NO_QUEUES, false);
    return new QueuePairMaker(context, "ibv_create_qp_ex").makeTarget(this, target);
  }

  @Override
  public SharedReceiveQueue createSrq(ProtectionDomain pd, CompletionQueue cq, SrqAttr attr) {
    return new SharedQueueMaker(context).makeXrc(this, pd, cq, attr);
  }

  @Override
  public void close() {
    context
        .driver()
        .step(
            hca -> {
              if (lifetime.end("ibv_close_xrcd")) {
                release();
              }
            });
  }

  @Override
  public void discard(Hca hca) {
    if (lifetime.endAnyway()) {
      release();
    }
  }

  private void release() {
    context.forget(this);
  }
}

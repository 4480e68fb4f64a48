// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.DomainVerbs;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.queue.SharedReceiveRing.XrcBinding;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import java.util.List;
import java.util.Objects;

/** A handle of an XRC domain, and the number of objects created from it. */
final class EmulatedXrcDomain extends ContextObject implements XrcDomain {
  private static final QpCap NO_QUEUES = new QpCap(0, 0, 0, 0, 0);

  static final QpInitAttr TARGET =
      new QpInitAttr(QpType.XRC_RECV, null, null, null, NO_QUEUES, false);

  private final DomainVerbs.SharedXrcDomain share;

  public EmulatedXrcDomain(EmulatedContext context, DomainVerbs.SharedXrcDomain share) {
    super(context, "XRC domain", List.of());
    this.share = share;
  }

  int number() {
    return share.number();
  }

  @Override
  public QueuePair createQp() {
    try (Step step = driver().step("ibv_create_qp_ex")) {
      return new QpFactory(context(), step).makeTarget(this, TARGET);
    }
  }

  @Override
  public SharedReceiveQueue createSrq(ProtectionDomain pd, CompletionQueue cq, SrqAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().step("ibv_create_srq_ex")) {
      if (pd == null || pd.context() != context() || cq == null || cq.context() != context()) {
        throw step.refusal(
            Errno.EINVAL,
            "protection domain and completion queue must be there and of the context of the"
                + " domain");
      }
      EmulatedCompletionQueue emulatedCq = (EmulatedCompletionQueue) cq;
      return EmulatedSharedReceiveQueue.create(
          step,
          (EmulatedProtectionDomain) pd,
          new XrcBinding(number(), emulatedCq.ring()),
          attr,
          List.of(lifecycle(), emulatedCq.lifecycle()));
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "XRC domain " + share.number());
  }

  @Override
  public void close() {
    context().destroy("ibv_close_xrcd", this);
  }

  @Override
  public void release(Hca hca) {
    hca.domains().closeXrc(share);
  }
}

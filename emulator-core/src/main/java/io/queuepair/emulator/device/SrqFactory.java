// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.CompletionQueueRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.SharedReceiveRing.XrcBinding;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates shared receive queues, and connects them to the listeners for their events. */
final class SrqFactory {
  private final OwningContext context;
  private final Step step;

  SrqFactory(OwningContext context, Step step) {
    this.context = context;
    this.step = step;
  }

  SharedReceiveQueue make(OwningDomain pd, SrqAttr attr) {
    return make(pd, null, attr, List.of());
  }

  SharedReceiveQueue makeXrc(
      EmulatedXrcDomain xrcd, ProtectionDomain pd, CompletionQueue cq, SrqAttr attr) {
    if (pd == null || pd.context() != context || cq == null || cq.context() != context) {
      throw step.refusal(
          Errno.EINVAL,
          "protection domain and completion queue must be there and of the context of the domain");
    }
    EmulatedCompletionQueue emulatedCq = (EmulatedCompletionQueue) cq;
    return make(
        (OwningDomain) pd,
        new XrcBinding(xrcd.number(), emulatedCq.ring()),
        attr,
        List.of(xrcd.lifecycle(), emulatedCq.lifecycle()));
  }

  private SharedReceiveQueue make(
      OwningDomain pd, @Nullable XrcBinding xrc, SrqAttr attr, List<ObjectLifecycle> needs) {
    step.check(pd.lifecycle());
    needs.forEach(step::check);
    if (xrc != null) {
      CompletionQueueRules.checkUsable(step.verb(), xrc.completions());
    }
    AsyncEvents.Source events = context.events().new Source();
    SharedReceiveRing ring =
        step.hca().sharedReceiveQueues().create(step.verb(), pd.number(), xrc, attr, events);
    pd.lifecycle().addUser();
    needs.forEach(ObjectLifecycle::addUser);
    EmulatedSharedReceiveQueue srq = new EmulatedSharedReceiveQueue(pd, ring, needs);
    events.setAbout(type -> AsyncEvent.of(type, srq));
    return context.adopt(step, srq);
  }
}

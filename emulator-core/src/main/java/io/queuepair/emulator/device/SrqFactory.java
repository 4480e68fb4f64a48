// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

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
import io.queuepair.verbs.VerbsException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates shared receive queues, and connects them to the listeners for their events. */
final class SrqFactory {
  private static final String VERB = "ibv_create_srq";
  private static final String VERB_EX = "ibv_create_srq_ex";

  private final OwningContext context;

  public SrqFactory(OwningContext context) {
    this.context = context;
  }

  public SharedReceiveQueue make(OwningDomain pd, SrqAttr attr) {
    return make(VERB, pd, null, attr, List.of());
  }

  SharedReceiveQueue makeXrc(
      EmulatedXrcDomain xrcd, ProtectionDomain pd, CompletionQueue cq, SrqAttr attr) {
    if (pd == null || pd.context() != context || cq == null || cq.context() != context) {
      throw new VerbsException(
          Errno.EINVAL,
          VERB_EX,
          "protection domain and completion queue must be there and of the context of the domain");
    }
    EmulatedCompletionQueue emulatedCq = (EmulatedCompletionQueue) cq;
    return make(
        VERB_EX,
        (OwningDomain) pd,
        new XrcBinding(xrcd.number(), emulatedCq.ring()),
        attr,
        List.of(xrcd.lifecycle(), emulatedCq.lifecycle()));
  }

  private SharedReceiveQueue make(
      String verb,
      OwningDomain pd,
      @Nullable XrcBinding xrc,
      SrqAttr attr,
      List<ObjectLifecycle> needs) {
    AsyncEvents.Source events = context.events().new Source();
    SharedReceiveRing ring =
        context
            .driver()
            .call(
                hca -> {
                  pd.lifecycle().check(verb);
                  needs.forEach(need -> need.check(verb));
                  if (xrc != null) {
                    CompletionQueueRules.checkUsable(verb, xrc.completions());
                  }
                  SharedReceiveRing created =
                      hca.sharedReceiveQueues().create(verb, pd.number(), xrc, attr, events);
                  pd.lifecycle().addUser();
                  needs.forEach(ObjectLifecycle::addUser);
                  return created;
                });
    EmulatedSharedReceiveQueue srq = new EmulatedSharedReceiveQueue(pd, ring, needs);
    context.driver().step(hca -> events.setAbout(type -> AsyncEvent.of(type, srq)));
    return context.adopt(srq);
  }
}

package io.queuepair.emulator.device;

import io.queuepair.emulator.qp.CompletionQueueRules;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.SharedReceiveRing.XrcSide;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import java.util.List;

/** Creates shared receive queues: what they need, and who is told of their events. */
final class SharedQueueMaker {
  private static final String VERB = "ibv_create_srq";
  private static final String VERB_EX = "ibv_create_srq_ex";

  private final EmulatedContext context;

  SharedQueueMaker(EmulatedContext context) {
    this.context = context;
  }

  SharedReceiveQueue make(EmulatedProtectionDomain pd, SrqAttr attr) {
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
        (EmulatedProtectionDomain) pd,
        new XrcSide(xrcd.number(), emulatedCq.ring()),
        attr,
        List.of(xrcd.lifetime(), emulatedCq.lifetime()));
  }

  private SharedReceiveQueue make(
      String verb, EmulatedProtectionDomain pd, XrcSide xrc, SrqAttr attr, List<Lifetime> needs) {
    AsyncEvents.Source events = context.events().new Source();
    SharedReceiveRing ring =
        context
            .driver()
            .call(
                hca -> {
                  pd.lifetime().check(verb);
                  needs.forEach(need -> need.check(verb));
                  if (xrc != null) {
                    CompletionQueueRules.checkUsable(verb, xrc.completions());
                  }
                  SharedReceiveRing created =
                      hca.sharedReceiveQueues().create(verb, pd.number(), xrc, attr, events);
                  pd.lifetime().addUser();
                  needs.forEach(Lifetime::addUser);
                  return created;
                });
    EmulatedSharedReceiveQueue srq = new EmulatedSharedReceiveQueue(pd, ring, needs);
    context.driver().step(hca -> events.setAbout(type -> AsyncEvent.of(type, srq)));
    return context.adopt(srq);
  }
}

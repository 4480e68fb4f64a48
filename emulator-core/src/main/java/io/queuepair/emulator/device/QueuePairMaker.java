package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.CompletionQueueRules;
import io.queuepair.emulator.qp.CreationRules;
import io.queuepair.emulator.qp.Offloads;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** Creates queue pairs: what they need, and who is told of their events. */
final class QueuePairMaker {
  private static final String VERB = "ibv_create_qp";

  private final EmulatedContext context;

  QueuePairMaker(EmulatedContext context) {
    this.context = context;
  }

  /** A queue pair with queues of its own, of a protection domain. */
  QueuePair make(EmulatedProtectionDomain pd, QpInitAttr initAttr) {
    if (initAttr.qpType() == QpType.XRC_RECV) {
      throw refusal("a queue pair of type XRC_RECV is created in an XRC domain");
    }
    EmulatedCompletionQueue sendCq = own(initAttr.sendCq(), "send");
    EmulatedCompletionQueue recvCq = own(initAttr.recvCq(), "receive");
    List<Lifetime> needs =
        new ArrayList<>(List.of(pd.lifetime(), sendCq.lifetime(), recvCq.lifetime()));
    SharedReceiveRing srq = null;
    if (initAttr.srq() != null) {
      EmulatedSharedReceiveQueue shared = ownShared(initAttr);
      needs.add(shared.lifetime());
      srq = shared.ring();
    }
    return make(new Parts(pd, pd.number(), sendCq.ring(), recvCq.ring(), srq), initAttr, needs);
  }

  /** The target of an extended reliable connection. */
  QueuePair makeTarget(EmulatedXrcDomain xrcd, QpInitAttr initAttr) {
    Parts parts = new Parts(null, xrcd.number(), null, null, null);
    return make(parts, initAttr, List.of(xrcd.lifetime()));
  }

  /** What a queue pair is put together from; each may be missing. */
  private record Parts(
      EmulatedProtectionDomain pd,
      int domain,
      CompletionRing sends,
      CompletionRing receives,
      SharedReceiveRing srq) {}

  private QueuePair make(Parts parts, QpInitAttr initAttr, List<Lifetime> needs) {
    DeviceProfile profile = context.driver().call(Hca::profile);
    AsyncEvents.Source events = context.events().new Source();
    QpContext.QpSetup setup =
        new QpContext.QpSetup(
            initAttr.qpType(),
            parts.domain(),
            parts.sends(),
            parts.receives(),
            parts.srq(),
            initAttr.cap(),
            initAttr.sqSigAll(),
            Offloads.of(initAttr.qpType(), profile),
            profile.quirks(),
            events);
    QpContext created =
        context
            .driver()
            .call(
                hca -> {
                  needs.forEach(need -> need.check(VERB));
                  checkUsable(parts.sends());
                  checkUsable(parts.receives());
                  QpContext qp = hca.queuePairs().create(setup);
                  needs.forEach(Lifetime::addUser);
                  return qp;
                });
    QpInitAttr granted = initAttr.withCap(CreationRules.granted(initAttr.cap(), profile));
    EmulatedQueuePair qp = new EmulatedQueuePair(context, parts.pd(), granted, created, needs);
    events.setAbout(type -> AsyncEvent.of(type, qp));
    return context.adopt(qp);
  }

  private static void checkUsable(CompletionRing ring) {
    if (ring != null) {
      CompletionQueueRules.checkUsable(VERB, ring);
    }
  }

  private EmulatedCompletionQueue own(CompletionQueue cq, String role) {
    if (cq == null) {
      throw refusal("there is no " + role + " completion queue");
    }
    if (cq.context() != context) {
      throw refusal("the " + role + " completion queue belongs to another context");
    }
    return (EmulatedCompletionQueue) cq;
  }

  private EmulatedSharedReceiveQueue ownShared(QpInitAttr initAttr) {
    if (initAttr.srq().pd().context() != context) {
      throw refusal("the shared receive queue belongs to another context");
    }
    EmulatedSharedReceiveQueue srq = (EmulatedSharedReceiveQueue) initAttr.srq();
    if (srq.ring().xrc() != null) {
      throw refusal("a shared receive queue of type XRC is reached by number only");
    }
    boolean mayShare =
        switch (initAttr.qpType()) {
          case RC, UD -> true;
          case UC -> context.driver().call(Hca::profile).has(Quirk.SRQ_FOR_UC);
          case RAW_PACKET, XRC_SEND, XRC_RECV, DRIVER -> false;
        };
    if (!mayShare) {
      throw refusal("type " + initAttr.qpType() + " cannot use a shared receive queue");
    }
    return srq;
  }

  private static VerbsException refusal(String message) {
    return new VerbsException(Errno.EINVAL, VERB, message);
  }
}

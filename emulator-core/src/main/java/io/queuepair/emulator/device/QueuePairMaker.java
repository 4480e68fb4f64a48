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
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Creates queue pairs: what they need, and who is told of their events. */
final class QueuePairMaker {
  private final EmulatedContext context;
  private final String verb;

  /**
   * Begins.
   *
   * @param verb what was called, for refusals
   */
  QueuePairMaker(EmulatedContext context, String verb) {
    this.context = context;
    this.verb = verb;
  }

  /** A queue pair with queues of its own, of a protection domain. */
  QueuePair make(EmulatedProtectionDomain pd, QpInitAttr initAttr) {
    Made made = makeParts(pd, QpInitAttrEx.of(initAttr));
    return announced(made, new EmulatedQueuePair(context, made));
  }

  /** The same with extended features. */
  ExtendedQueuePair makeExtended(EmulatedProtectionDomain pd, QpInitAttrEx initAttr) {
    CreationRules.checkExtended(initAttr, context.driver().call(Hca::profile));
    Made made = makeParts(pd, initAttr);
    return announced(made, new EmulatedExtendedQueuePair(context, made, initAttr));
  }

  private Made makeParts(EmulatedProtectionDomain pd, QpInitAttrEx extended) {
    QpInitAttr initAttr = extended.base();
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
    return make(new Parts(pd, pd.number(), sendCq.ring(), recvCq.ring(), srq), extended, needs);
  }

  /** The target of an extended reliable connection. */
  QueuePair makeTarget(EmulatedXrcDomain xrcd, QpInitAttr initAttr) {
    Parts parts = new Parts(null, xrcd.number(), null, null, null);
    List<Lifetime> needs = List.of(xrcd.lifetime());
    SharedTarget target = new SharedTarget();
    QpContext created = create(parts, QpInitAttrEx.of(initAttr), needs, target);
    EmulatedQueuePair qp =
        new EmulatedQueuePair(context, new Made(null, initAttr, created, needs, null));
    context
        .driver()
        .step(
            hca -> {
              target.open(qp);
              hca.queuePairs().share(created, target);
            });
    return context.adopt(qp);
  }

  /** Another handle of the target of an extended reliable connection. */
  QueuePair openTarget(QpOpenAttr attr) {
    if (attr.qpType() != QpType.XRC_RECV) {
      throw new VerbsException(
          Errno.EINVAL, verb, "type " + attr.qpType() + " is not XRC_RECV, which can be shared");
    }
    if (attr.xrcd() == null || attr.xrcd().context() != context) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the XRC domain is missing or of another context");
    }
    EmulatedXrcDomain xrcd = (EmulatedXrcDomain) attr.xrcd();
    List<Lifetime> needs = List.of(xrcd.lifetime());
    EmulatedQueuePair opened =
        context
            .driver()
            .call(
                hca -> {
                  xrcd.lifetime().check(verb);
                  SharedTarget target = hca.queuePairs().target(verb, xrcd.number(), attr.qpNum());
                  xrcd.lifetime().addUser();
                  Made made = new Made(null, EmulatedXrcDomain.TARGET, target.qp(), needs, null);
                  EmulatedQueuePair handle = new EmulatedQueuePair(context, made);
                  target.open(handle);
                  return handle;
                });
    return context.adopt(opened);
  }

  /** What a queue pair is put together from; each may be missing. */
  private record Parts(
      EmulatedProtectionDomain pd,
      int domain,
      CompletionRing sends,
      CompletionRing receives,
      SharedReceiveRing srq) {}

  /**
   * A queue pair of the adapter, for the object that the application sees.
   *
   * @param pd null for the target of an extended connection
   * @param initAttr what it was created with, and the capacities that were granted
   * @param needs the objects it was made of, which it keeps from being destroyed
   * @param events where it tells of its events; null if it is a shared target, which does itself
   */
  record Made(
      EmulatedProtectionDomain pd,
      QpInitAttr initAttr,
      QpContext qp,
      List<Lifetime> needs,
      AsyncEvents.Source events) {}

  private <T extends EmulatedQueuePair> T announced(Made made, T qp) {
    context.driver().step(hca -> made.events().setAbout(type -> AsyncEvent.of(type, qp)));
    return context.adopt(qp);
  }

  private Made make(Parts parts, QpInitAttrEx extended, List<Lifetime> needs) {
    QpInitAttr initAttr = extended.base();
    DeviceProfile profile = context.driver().call(Hca::profile);
    AsyncEvents.Source events = context.events().new Source();
    QpContext created = create(parts, extended, needs, events);
    QpInitAttr granted = initAttr.withCap(CreationRules.granted(initAttr.cap(), profile));
    return new Made(parts.pd(), granted, created, needs, events);
  }

  private QpContext create(
      Parts parts, QpInitAttrEx extended, List<Lifetime> needs, Consumer<EventType> events) {
    QpInitAttr initAttr = extended.base();
    DeviceProfile profile = context.driver().call(Hca::profile);
    QpContext.QpSetup setup =
        new QpContext.QpSetup(
            initAttr.qpType(),
            parts.domain(),
            parts.sends(),
            parts.receives(),
            parts.srq(),
            initAttr.cap(),
            initAttr.sqSigAll(),
            Offloads.of(extended, profile),
            profile.quirks(),
            events);
    return context
        .driver()
        .call(
            hca -> {
              needs.forEach(need -> need.check(verb));
              checkUsable(parts.sends());
              checkUsable(parts.receives());
              QpContext qp = hca.queuePairs().create(verb, setup);
              needs.forEach(Lifetime::addUser);
              return qp;
            });
  }

  private void checkUsable(CompletionRing ring) {
    if (ring != null) {
      CompletionQueueRules.checkUsable(verb, ring);
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

  private VerbsException refusal(String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}

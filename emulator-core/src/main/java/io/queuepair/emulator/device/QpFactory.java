// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.engine.ReceiveScaling;
import io.queuepair.emulator.hca.CompletionQueueRules;
import io.queuepair.emulator.hca.CreationRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.WorkQueueRules;
import io.queuepair.emulator.hca.XrcTarget;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
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
import org.jspecify.annotations.Nullable;

/** Creates queue pairs, and connects them to the listeners for their events. */
final class QpFactory {
  private final OwningContext context;
  private final Step step;

  /** Creates by a verb that is at work. */
  QpFactory(OwningContext context, Step step) {
    this.context = context;
    this.step = step;
  }

  /** A queue pair with queues of its own, of a protection domain. */
  public QueuePair make(OwningDomain pd, QpInitAttr initAttr) {
    CreatedQp made = makeParts(pd, QpInitAttrEx.of(initAttr));
    return announced(made, new EmulatedQueuePair(context, made));
  }

  /** The same with extended features. */
  public ExtendedQueuePair makeExtended(OwningDomain pd, QpInitAttrEx initAttr) {
    CreationRules.checkExtended(initAttr, step.hca().workQueues().caps(), step.hca().profile());
    CreatedQp made = makeParts(pd, initAttr);
    return announced(made, new EmulatedExtendedQueuePair(context, made, initAttr));
  }

  private CreatedQp makeParts(OwningDomain pd, QpInitAttrEx extended) {
    QpInitAttr initAttr = extended.base();
    if (initAttr.qpType() == QpType.XRC_RECV) {
      throw refusal("a queue pair of type XRC_RECV is created in an XRC domain");
    }
    if (WorkQueueRules.areAskedFor(extended)) {
      return makeScaling(pd, extended);
    }
    EmulatedCompletionQueue sendCq = own(initAttr.sendCq(), "send");
    // The requester of an extended reliable connection receives nothing.
    boolean receives = initAttr.qpType() != QpType.XRC_SEND || initAttr.recvCq() != null;
    EmulatedCompletionQueue recvCq = receives ? own(initAttr.recvCq(), "receive") : sendCq;
    List<ObjectLifecycle> needs =
        new ArrayList<>(List.of(pd.lifecycle(), sendCq.lifecycle(), recvCq.lifecycle()));
    SharedReceiveRing srq = null;
    if (initAttr.srq() != null) {
      EmulatedSharedReceiveQueue shared = ownShared(initAttr);
      needs.add(shared.lifecycle());
      srq = shared.ring();
    }
    return make(
        new QpResources(pd, pd.number(), sendCq.ring(), recvCq.ring(), srq, null), extended, needs);
  }

  /** One without queues of its own that spreads frames over work queues: ready at once. */
  private CreatedQp makeScaling(OwningDomain pd, QpInitAttrEx extended) {
    if (extended.rwqIndTbl().context() != context) {
      throw refusal("the indirection table belongs to another context");
    }
    EmulatedRwqIndTable table = (EmulatedRwqIndTable) extended.rwqIndTbl();
    ReceiveScaling scaling = new ReceiveScaling(table.queues(), extended.rxHashConf());
    QpResources parts = new QpResources(pd, pd.number(), null, null, null, scaling);
    CreatedQp made = make(parts, extended, List.of(pd.lifecycle(), table.lifecycle()));
    step.hca().workQueues().makeReady(made.qpEngine());
    return made;
  }

  /** The target of an extended reliable connection. */
  QueuePair makeTarget(EmulatedXrcDomain xrcd, QpInitAttr initAttr) {
    QpResources parts = new QpResources(null, xrcd.number(), null, null, null, null);
    List<ObjectLifecycle> needs = List.of(xrcd.lifecycle());
    XrcTarget target = new XrcTarget();
    QpEngine created = create(parts, QpInitAttrEx.of(initAttr), needs, target);
    EmulatedQueuePair qp =
        new EmulatedQueuePair(context, new CreatedQp(null, initAttr, created, needs, null));
    target.open(qp);
    step.hca().queuePairs().share(created, target);
    return context.adopt(step, qp);
  }

  /** Another handle of the target of an extended reliable connection. */
  public QueuePair openTarget(QpOpenAttr attr) {
    if (attr.qpType() != QpType.XRC_RECV) {
      throw refusal("type " + attr.qpType() + " is not XRC_RECV, which can be shared");
    }
    if (attr.xrcd() == null || attr.xrcd().context() != context) {
      throw refusal("the XRC domain is missing or of another context");
    }
    EmulatedXrcDomain xrcd = (EmulatedXrcDomain) attr.xrcd();
    step.check(xrcd.lifecycle());
    XrcTarget target = step.hca().queuePairs().target(step.verb(), xrcd.number(), attr.qpNum());
    xrcd.lifecycle().addUser();
    CreatedQp made =
        new CreatedQp(null, EmulatedXrcDomain.TARGET, target.qpEngine(), List.of(xrcd.lifecycle()), null);
    EmulatedQueuePair handle = new EmulatedQueuePair(context, made);
    target.open(handle);
    return context.adopt(step, handle);
  }

  /** What a queue pair is put together from; each may be missing. */
  private record QpResources(
      @Nullable OwningDomain pd,
      int domain,
      @Nullable CompletionRing sends,
      @Nullable CompletionRing receives,
      @Nullable SharedReceiveRing srq,
      @Nullable ReceiveScaling scaling) {}

  /**
   * A queue pair of the adapter, for the object that the application sees.
   *
   * @param pd null for the target of an extended connection
   * @param initAttr what it was created with, and the capacities that were granted
   * @param needs the objects it was made of, which it keeps from being destroyed
   * @param events where it tells of its events; null if it is a shared target, which does itself
   */
  record CreatedQp(
      @Nullable OwningDomain pd,
      QpInitAttr initAttr,
      QpEngine qpEngine,
      List<ObjectLifecycle> needs,
      AsyncEvents.@Nullable Source events) {}

  private <T extends EmulatedQueuePair> T announced(CreatedQp made, T qp) {
    made.events().setAbout(type -> AsyncEvent.of(type, qp));
    return context.adopt(step, qp);
  }

  private CreatedQp make(QpResources parts, QpInitAttrEx extended, List<ObjectLifecycle> needs) {
    QpInitAttr initAttr = extended.base();
    DeviceProfile profile = step.hca().profile();
    AsyncEvents.Source events = context.events().new Source();
    QpEngine created = create(parts, extended, needs, events);
    QpInitAttr granted = initAttr.withCap(CreationRules.granted(initAttr.cap(), profile));
    return new CreatedQp(parts.pd(), granted, created, needs, events);
  }

  private QpEngine create(
      QpResources parts,
      QpInitAttrEx extended,
      List<ObjectLifecycle> needs,
      Consumer<EventType> events) {
    QpInitAttr initAttr = extended.base();
    DeviceProfile profile = step.hca().profile();
    QpContext.QpSetup setup =
        new QpContext.QpSetup(
            initAttr.qpType(),
            parts.domain(),
            parts.sends(),
            parts.receives(),
            parts.srq(),
            initAttr.cap(),
            initAttr.sqSigAll(),
            Offloads.of(extended, profile, parts.scaling()),
            profile.quirks(),
            events);
    needs.forEach(step::check);
    checkUsable(parts.sends());
    checkUsable(parts.receives());
    QpEngine created = step.hca().queuePairs().create(step.verb(), setup);
    needs.forEach(ObjectLifecycle::addUser);
    return created;
  }

  private void checkUsable(@Nullable CompletionRing ring) {
    if (ring != null) {
      CompletionQueueRules.checkUsable(step.verb(), ring);
    }
  }

  private EmulatedCompletionQueue own(@Nullable CompletionQueue cq, String role) {
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
          case UC -> step.hca().profile().has(Quirk.SRQ_FOR_UC);
          case RAW_PACKET, XRC_SEND, XRC_RECV, DRIVER -> false;
        };
    if (!mayShare) {
      throw refusal("type " + initAttr.qpType() + " cannot use a shared receive queue");
    }
    return srq;
  }

  private VerbsException refusal(String message) {
    return step.refusal(Errno.EINVAL, message);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.engine.ReceiveScaling;
import io.queuepair.emulator.hca.CqVerbs;
import io.queuepair.emulator.hca.CreationRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.WqVerbs;
import io.queuepair.emulator.hca.XrcTarget;
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
  private final EmulatedContext context;
  private final Step step;

  /** Objects that the queue pair needs, which it keeps from being destroyed. */
  private final List<ObjectLifecycle> neededLifecycles = new ArrayList<>();

  QpFactory(EmulatedContext context, Step step) {
    this.context = context;
    this.step = step;
  }

  QueuePair make(EmulatedProtectionDomain pd, QpInitAttr initAttr) {
    AsyncEvents.EventSource events = context.events().new EventSource();
    QpEngine qpEngine = create(pd, QpInitAttrEx.of(initAttr), events);
    EmulatedQueuePair qp =
        new EmulatedQueuePair(
            context, pd, granted(initAttr), qpEngine, List.copyOf(neededLifecycles));
    events.setAbout(type -> AsyncEvent.of(type, qp));
    return context.adopt(step, qp);
  }

  ExtendedQueuePair makeExtended(EmulatedProtectionDomain pd, QpInitAttrEx extended) {
    CreationRules.checkExtended(extended, step.hca().workQueues().caps(), step.hca().profile());
    AsyncEvents.EventSource events = context.events().new EventSource();
    QpEngine qpEngine = create(pd, extended, events);
    QpInitAttrEx grantedAttr = extended.withBase(granted(extended.base()));
    EmulatedExtendedQueuePair qp =
        new EmulatedExtendedQueuePair(
            context, pd, grantedAttr, qpEngine, List.copyOf(neededLifecycles));
    events.setAbout(type -> AsyncEvent.of(type, qp));
    return context.adopt(step, qp);
  }

  private QpInitAttr granted(QpInitAttr initAttr) {
    return initAttr.withCap(CreationRules.granted(initAttr.cap(), step.hca().profile()));
  }

  private QpEngine create(
      EmulatedProtectionDomain pd, QpInitAttrEx extended, AsyncEvents.EventSource events) {
    QpInitAttr initAttr = extended.base();
    if (initAttr.qpType() == QpType.XRC_RECV) {
      throw refusal("a queue pair of type XRC_RECV is created in an XRC domain");
    }
    neededLifecycles.add(pd.lifecycle());
    if (WqVerbs.areAskedFor(extended)) {
      return createScaling(pd, extended, events);
    }
    EmulatedCompletionQueue sendCq = own(initAttr.sendCq(), "send");
    // An XRC initiator receives nothing, so it needs no receive completion queue.
    boolean receives = initAttr.qpType() != QpType.XRC_SEND || initAttr.recvCq() != null;
    EmulatedCompletionQueue recvCq = receives ? own(initAttr.recvCq(), "receive") : sendCq;
    neededLifecycles.add(sendCq.lifecycle());
    neededLifecycles.add(recvCq.lifecycle());
    SharedReceiveRing srq = null;
    if (initAttr.srq() != null) {
      EmulatedSharedReceiveQueue shared = ownShared(initAttr);
      neededLifecycles.add(shared.lifecycle());
      srq = shared.ring();
    }
    Offloads offloads = Offloads.of(extended, step.hca().profile(), null);
    return create(
        setup(initAttr, pd.number(), offloads, events)
            .withQueues(sendCq.ring(), recvCq.ring(), srq));
  }

  /** Creates a queue pair that spreads frames over work queues (RSS). It receives at once. */
  private QpEngine createScaling(
      EmulatedProtectionDomain pd, QpInitAttrEx extended, AsyncEvents.EventSource events) {
    if (extended.rwqIndTbl().context() != context) {
      throw refusal("the indirection table belongs to another context");
    }
    EmulatedRwqIndTable table = (EmulatedRwqIndTable) extended.rwqIndTbl();
    neededLifecycles.add(table.lifecycle());
    ReceiveScaling scaling = new ReceiveScaling(table.queues(), extended.rxHashConf());
    Offloads offloads = Offloads.of(extended, step.hca().profile(), scaling);
    QpEngine qpEngine = create(setup(extended.base(), pd.number(), offloads, events));
    step.hca().workQueues().makeReady(qpEngine);
    return qpEngine;
  }

  QueuePair makeTarget(EmulatedXrcDomain xrcd, QpInitAttr initAttr) {
    neededLifecycles.add(xrcd.lifecycle());
    XrcTarget target = new XrcTarget();
    Offloads offloads = Offloads.of(QpInitAttrEx.of(initAttr), step.hca().profile(), null);
    QpEngine qpEngine = create(setup(initAttr, xrcd.number(), offloads, target));
    EmulatedQueuePair qp =
        new EmulatedQueuePair(context, null, initAttr, qpEngine, List.copyOf(neededLifecycles));
    target.open(qp);
    step.hca().queuePairs().share(qpEngine, target);
    return context.adopt(step, qp);
  }

  QueuePair openTarget(QpOpenAttr attr) {
    if (attr.qpType() != QpType.XRC_RECV) {
      throw refusal("type " + attr.qpType() + " is not XRC_RECV, which can be shared");
    }
    if (attr.xrcd() == null || attr.xrcd().context() != context) {
      throw refusal("the XRC domain is missing or of another context");
    }
    EmulatedXrcDomain xrcd = (EmulatedXrcDomain) attr.xrcd();
    step.check(xrcd.lifecycle());
    XrcTarget target = step.hca().queuePairs().target(step.verb(), xrcd.number(), attr.qpNum());
    EmulatedQueuePair qp =
        new EmulatedQueuePair(
            context, null, EmulatedXrcDomain.TARGET, target.qpEngine(), List.of(xrcd.lifecycle()));
    target.open(qp);
    return context.adopt(step, qp);
  }

  /** Setup without queues; {@code withQueues} adds them. */
  private QpContext.QpSetup setup(
      QpInitAttr initAttr, int domain, Offloads offloads, Consumer<EventType> events) {
    return new QpContext.QpSetup(
        initAttr.qpType(),
        domain,
        null,
        null,
        null,
        initAttr.cap(),
        initAttr.sqSigAll(),
        offloads,
        step.hca().profile().quirks(),
        events);
  }

  private QpEngine create(QpContext.QpSetup setup) {
    neededLifecycles.forEach(step::check);
    checkUsable(setup.sendCompletions());
    checkUsable(setup.receiveCompletions());
    QpEngine qpEngine = step.hca().queuePairs().create(step.verb(), setup);
    return qpEngine;
  }

  private void checkUsable(@Nullable CompletionRing ring) {
    if (ring != null) {
      CqVerbs.checkUsable(step.verb(), ring);
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

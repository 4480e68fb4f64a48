// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.hca.CompletionQueueRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.WqVerbs;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqInitAttr;
import java.util.ArrayList;
import java.util.List;

/** Creates work queues and the tables that lead to them. */
final class WqFactory {
  private final OwningContext context;
  private final Step step;

  WqFactory(OwningContext context, Step step) {
    this.context = context;
    this.step = step;
  }

  public WorkQueue make(WqInitAttr attr) {
    if (attr.pd() == null
        || attr.pd().context() != context
        || attr.cq() == null
        || attr.cq().context() != context) {
      throw step.refusal(
          Errno.EINVAL, "protection domain and completion queue must be there and of the context");
    }
    OwningDomain pd = (OwningDomain) attr.pd();
    EmulatedCompletionQueue cq = (EmulatedCompletionQueue) attr.cq();
    List<ObjectLifecycle> needs = List.of(pd.lifecycle(), cq.lifecycle());
    needs.forEach(step::check);
    CompletionQueueRules.checkUsable(step.verb(), cq.ring());
    AsyncEvents.Source events = context.events().new Source();
    QpEngine queue =
        step.hca().workQueues().create(step.verb(), attr, pd.number(), cq.ring(), events);
    needs.forEach(ObjectLifecycle::addUser);
    int sges = WqVerbs.grantedSges(attr);
    WqInitAttr granted =
        new WqInitAttr(attr.wqType(), attr.maxWr(), sges, pd, cq, attr.createFlags());
    EmulatedWorkQueue wq = new EmulatedWorkQueue(pd, granted, queue, needs);
    // The one event of a queue that only receives frames is that it is of no more use.
    events.setAbout(type -> AsyncEvent.of(EventType.WQ_FATAL, wq));
    return context.adopt(step, wq);
  }

  RwqIndTable makeTable(List<WorkQueue> places) {
    List<EmulatedWorkQueue> wqs = new ArrayList<>();
    for (WorkQueue wq : places) {
      if (wq.context() != context) {
        throw step.refusal(Errno.EINVAL, "a work queue belongs to another context");
      }
      wqs.add((EmulatedWorkQueue) wq);
    }
    wqs.forEach(wq -> step.check(wq.lifecycle()));
    step.hca().workQueues().createTable(step.verb(), wqs.size());
    wqs.forEach(wq -> wq.lifecycle().addUser());
    return context.adopt(step, new EmulatedRwqIndTable(context, List.copyOf(wqs)));
  }
}

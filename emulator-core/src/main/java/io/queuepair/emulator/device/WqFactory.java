// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.hca.CompletionQueueRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.WqVerbs;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqInitAttr;
import java.util.ArrayList;
import java.util.List;

/** Creates work queues and the tables that lead to them. */
final class WqFactory {
  private static final String CREATE = "ibv_create_wq";
  private static final String CREATE_TABLE = "ibv_create_rwq_ind_table";

  private final OwningContext context;

  public WqFactory(OwningContext context) {
    this.context = context;
  }

  public WorkQueue make(WqInitAttr attr) {
    if (attr.pd() == null
        || attr.pd().context() != context
        || attr.cq() == null
        || attr.cq().context() != context) {
      throw new VerbsException(
          Errno.EINVAL,
          CREATE,
          "protection domain and completion queue must be there and of the context");
    }
    OwningDomain pd = (OwningDomain) attr.pd();
    EmulatedCompletionQueue cq = (EmulatedCompletionQueue) attr.cq();
    List<ObjectLifecycle> needs = List.of(pd.lifecycle(), cq.lifecycle());
    AsyncEvents.Source events = context.events().new Source();
    QpContext queue =
        context
            .driver()
            .call(
                hca -> {
                  needs.forEach(need -> need.check(CREATE));
                  CompletionQueueRules.checkUsable(CREATE, cq.ring());
                  QpContext created = hca.workQueues().create(attr, pd.number(), cq.ring(), events);
                  needs.forEach(ObjectLifecycle::addUser);
                  return created;
                });
    int sges = WqVerbs.grantedSges(attr);
    WqInitAttr granted =
        new WqInitAttr(attr.wqType(), attr.maxWr(), sges, pd, cq, attr.createFlags());
    EmulatedWorkQueue wq = new EmulatedWorkQueue(pd, granted, queue, needs);
    // The one event of a queue that only receives frames is that it is of no more use.
    context.driver().step(hca -> events.setAbout(type -> AsyncEvent.of(EventType.WQ_FATAL, wq)));
    return context.adopt(wq);
  }

  public RwqIndTable makeTable(List<WorkQueue> places) {
    List<EmulatedWorkQueue> wqs = new ArrayList<>();
    for (WorkQueue wq : places) {
      if (wq.context() != context) {
        throw new VerbsException(
            Errno.EINVAL, CREATE_TABLE, "a work queue belongs to another context");
      }
      wqs.add((EmulatedWorkQueue) wq);
    }
    context
        .driver()
        .step(
            hca -> {
              wqs.forEach(wq -> wq.lifecycle().check(CREATE_TABLE));
              hca.workQueues().createTable(wqs.size());
              wqs.forEach(wq -> wq.lifecycle().addUser());
            });
    return context.adopt(new EmulatedRwqIndTable(context, List.copyOf(wqs)));
  }
}

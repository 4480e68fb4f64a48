// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.WorkQueue;
import java.util.ArrayList;
import java.util.List;

/** A table of work queues, none of which can be destroyed as long as it exists. */
final class EmulatedRwqIndTable extends ContextObject implements RwqIndTable {
  private final List<EmulatedWorkQueue> wqs;

  private EmulatedRwqIndTable(EmulatedContext context, List<EmulatedWorkQueue> wqs) {
    super(context, "indirection table", wqs.stream().map(ContextObject::lifecycle).toList());
    this.wqs = wqs;
  }

  static RwqIndTable create(Step step, EmulatedContext context, List<WorkQueue> workQueues) {
    List<EmulatedWorkQueue> wqs = new ArrayList<>();
    for (WorkQueue wq : workQueues) {
      if (wq.context() != context) {
        throw step.refusal(Errno.EINVAL, "a work queue belongs to another context");
      }
      wqs.add((EmulatedWorkQueue) wq);
    }
    wqs.forEach(wq -> step.check(wq.lifecycle()));
    step.hca().workQueues().createTable(step.verb(), wqs.size());
    return context.adopt(step, new EmulatedRwqIndTable(context, List.copyOf(wqs)));
  }

  List<QpEngine> queues() {
    List<QpEngine> qpEngines = new ArrayList<>();
    wqs.forEach(wq -> qpEngines.add(wq.queue()));
    return qpEngines;
  }

  @Override
  public List<WorkQueue> wqs() {
    return List.copyOf(wqs);
  }

  @Override
  public String toString() {
    return context().describe(this, "indirection table", wqs.size() + " places");
  }

  @Override
  public void close() {
    context().destroy("ibv_destroy_rwq_ind_table", this);
  }

  @Override
  public void release(Hca hca) {
    hca.workQueues().destroyTable();
  }
}

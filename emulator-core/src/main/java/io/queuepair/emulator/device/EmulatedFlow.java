// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CounterSet;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** A flow: a rule in the device's flow table. */
final class EmulatedFlow extends ContextObject implements Flow {
  private final EmulatedQueuePair qp;
  private final FlowAttr attr;
  private final FlowTable.Rule rule;
  private final List<ObjectLifecycle> counterLifecycles = new ArrayList<>();

  EmulatedFlow(EmulatedQueuePair qp, FlowAttr attr, FlowTable.Rule rule) {
    super(qp.context(), "flow", List.of(qp.lifecycle()));
    this.qp = qp;
    this.attr = attr;
    this.rule = rule;
  }

  /** Binds a counter to the flow; the counters cannot be destroyed while the flow exists. */
  void attach(Step step, CounterSet.CounterBinding binding, ObjectLifecycle counterLifecycle) {
    step.check(lifecycle());
    rule.attach(binding);
    counterLifecycle.addUser();
    counterLifecycles.add(counterLifecycle);
  }

  @Override
  public QueuePair qp() {
    return qp;
  }

  @Override
  public FlowAttr attr() {
    return attr;
  }

  @Override
  public String toString() {
    return context().describe(this, "flow", attr.type(), "to " + qp);
  }

  @Override
  public void close() {
    context().destroy("ibv_destroy_flow", this);
  }

  @Override
  public void release(Hca hca) {
    hca.engine().flows().remove(rule);
    counterLifecycles.forEach(ObjectLifecycle::removeUser);
  }
}

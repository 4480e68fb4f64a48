package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.engine.CounterSet;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** A flow: a rule in the table of the adapter. */
final class EmulatedFlow implements Flow, Owned {
  private final EmulatedContext context;
  private final EmulatedQueuePair qp;
  private final FlowAttr attr;
  private final FlowTable.Rule rule;
  private final List<Lifetime> counting = new ArrayList<>();
  private final Lifetime lifetime = new Lifetime("flow");

  EmulatedFlow(EmulatedContext context, EmulatedQueuePair qp, FlowAttr attr, FlowTable.Rule rule) {
    this.context = context;
    this.qp = qp;
    this.attr = attr;
    this.rule = rule;
  }

  /** Counts what it takes; the counters cannot be destroyed as long as the flow exists. */
  void attach(String verb, CounterSet.Place place, Lifetime counters) {
    lifetime.check(verb);
    rule.attach(place);
    counters.addUser();
    counting.add(counters);
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
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
    return context.describe(this, "flow", attr.type(), "to " + qp);
  }

  @Override
  public void close() {
    context.driver().failAsPlanned("ibv_destroy_flow");
    context.destroy("ibv_destroy_flow", this);
  }

  @Override
  public void release(Hca hca) {
    hca.engine().flows().remove(rule);
    qp.lifetime().removeUser();
    counting.forEach(Lifetime::removeUser);
  }
}

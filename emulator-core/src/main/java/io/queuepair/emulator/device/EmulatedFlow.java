package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QueuePair;

/** A flow: a rule in the table of the adapter. */
final class EmulatedFlow implements Flow, Owned {
  private final EmulatedContext context;
  private final EmulatedQueuePair qp;
  private final FlowAttr attr;
  private final FlowTable.Rule rule;
  private final Lifetime lifetime = new Lifetime("flow");

  EmulatedFlow(EmulatedContext context, EmulatedQueuePair qp, FlowAttr attr, FlowTable.Rule rule) {
    this.context = context;
    this.qp = qp;
    this.attr = attr;
    this.rule = rule;
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
  public void close() {
    context
        .driver()
        .step(
            hca -> {
              if (lifetime.end("ibv_destroy_flow")) {
                release(hca);
              }
            });
  }

  @Override
  public void discard(Hca hca) {
    if (lifetime.endAnyway()) {
      release(hca);
    }
  }

  private void release(Hca hca) {
    hca.engine().flows().remove(rule);
    qp.lifetime().removeUser();
    context.forget(this);
  }
}

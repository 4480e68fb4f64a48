// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.CounterSet;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.VerbsException;
import java.util.Objects;

/** Counters of an application. They exist as long as a flow uses them. */
final class EmulatedCounters implements Counters, ContextObject {
  private static final String ATTACH = "ibv_attach_counters_point_flow";
  private static final String READ = "ibv_read_counters";

  private final OwningContext context;
  private final CounterSet values = new CounterSet();
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("counters object");

  public EmulatedCounters(OwningContext context) {
    this.context = context;
  }

  @Override
  public ObjectLifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public void attachPointFlow(CounterDescription description, int index, Flow flow) {
    Objects.requireNonNull(description, "description");
    context.driver().beginVerb(ATTACH);
    if (flow == null || flow.qp().pd().context() != context) {
      throw new VerbsException(Errno.EINVAL, ATTACH, "the flow is missing or of another context");
    }
    if (index < 0 || index >= CounterSet.SIZE) {
      throw new VerbsException(
          Errno.EINVAL, ATTACH, "index " + index + " is not 0 to " + (CounterSet.SIZE - 1));
    }
    CounterSet.CounterBinding place = new CounterSet.CounterBinding(values, index, description);
    context
        .driver()
        .step(
            hca -> {
              lifecycle.check(ATTACH);
              ((EmulatedFlow) flow).attach(ATTACH, place, lifecycle);
            });
  }

  @Override
  public long[] read(int count) {
    context.driver().beginVerb(READ);
    if (count < 0 || count > CounterSet.SIZE) {
      throw new VerbsException(
          Errno.EINVAL, READ, count + " counters are not 0 to " + CounterSet.SIZE);
    }
    return context
        .driver()
        .call(
            hca -> {
              lifecycle.check(READ);
              return values.first(count);
            });
  }

  @Override
  public String toString() {
    return context.describe(this, "counters");
  }

  @Override
  public void close() {
    context.driver().failAsPlanned("ibv_destroy_counters");
    context.destroy("ibv_destroy_counters", this);
  }
}

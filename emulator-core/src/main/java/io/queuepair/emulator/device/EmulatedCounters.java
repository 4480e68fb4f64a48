// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CounterSet;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import java.util.Objects;

/** Counters of an application. They exist as long as a flow uses them. */
final class EmulatedCounters implements Counters, ContextObject {
  private final EmulatedContext context;
  private final CounterSet counterSet = new CounterSet();
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("counters object");

  public EmulatedCounters(EmulatedContext context) {
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
    try (Step step = context.driver().step("ibv_attach_counters_point_flow")) {
      if (flow == null || flow.qp().pd().context() != context) {
        throw step.refusal(Errno.EINVAL, "the flow is missing or of another context");
      }
      if (index < 0 || index >= CounterSet.SIZE) {
        throw step.refusal(
            Errno.EINVAL, "index " + index + " is not 0 to " + (CounterSet.SIZE - 1));
      }
      step.check(lifecycle);
      CounterSet.CounterBinding binding =
          new CounterSet.CounterBinding(counterSet, index, description);
      ((EmulatedFlow) flow).attach(step, binding, lifecycle);
    }
  }

  @Override
  public long[] read(int count) {
    try (Step step = context.driver().call("ibv_read_counters")) {
      if (count < 0 || count > CounterSet.SIZE) {
        throw step.refusal(Errno.EINVAL, count + " counters are not 0 to " + CounterSet.SIZE);
      }
      step.check(lifecycle);
      return counterSet.first(count);
    }
  }

  @Override
  public String toString() {
    return context.describe(this, "counters");
  }

  @Override
  public void close() {
    context.destroy("ibv_destroy_counters", this);
  }
}

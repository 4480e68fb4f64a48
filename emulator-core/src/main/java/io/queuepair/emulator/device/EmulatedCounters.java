// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CounterSet;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import java.util.List;
import java.util.Objects;

/** Counters of an application. They cannot be destroyed while a flow uses them. */
final class EmulatedCounters extends ContextObject implements Counters {
  private final CounterSet counterSet = new CounterSet();

  public EmulatedCounters(EmulatedContext context) {
    super(context, "counters object", List.of());
  }

  @Override
  public void attachPointFlow(CounterDescription description, int index, Flow flow) {
    Objects.requireNonNull(description, "description");
    try (Step step = driver().step("ibv_attach_counters_point_flow")) {
      if (flow == null || flow.qp().pd().context() != context()) {
        throw step.refusal(Errno.EINVAL, "the flow is missing or of another context");
      }
      if (index < 0 || index >= CounterSet.SIZE) {
        throw step.refusal(
            Errno.EINVAL, "index " + index + " is not 0 to " + (CounterSet.SIZE - 1));
      }
      step.check(lifecycle());
      CounterSet.CounterBinding binding =
          new CounterSet.CounterBinding(counterSet, index, description);
      ((EmulatedFlow) flow).attach(step, binding, lifecycle());
    }
  }

  @Override
  public long[] read(int count) {
    try (Step step = driver().call("ibv_read_counters")) {
      if (count < 0 || count > CounterSet.SIZE) {
        throw step.refusal(Errno.EINVAL, count + " counters are not 0 to " + CounterSet.SIZE);
      }
      step.check(lifecycle());
      return counterSet.first(count);
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "counters");
  }

  @Override
  public void close() {
    context().destroy("ibv_destroy_counters", this);
  }
}

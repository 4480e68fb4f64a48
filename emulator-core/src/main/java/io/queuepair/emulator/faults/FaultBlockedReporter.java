// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.fabric.BlockedWorkReporter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Adds injected faults to the report of a deadlock. */
public final class FaultBlockedReporter implements BlockedWorkReporter {
  private final Supplier<Map<String, Long>> taken;

  /**
   * Creates a reporter for a plan.
   *
   * @param taken how often each statement was carried out
   */
  public FaultBlockedReporter(Supplier<Map<String, Long>> taken) {
    this.taken = taken;
  }

  @Override
  public List<String> describeBlockedWork() {
    List<String> sentences = new ArrayList<>();
    taken
        .get()
        .forEach(
            (statement, times) -> {
              if (times > 0) {
                sentences.add("faults: " + Quantity.of(times, "time") + " " + statement);
              }
            });
    return sentences;
  }
}

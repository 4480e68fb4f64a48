// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.EmulatorBuilder;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import picocli.CommandLine.Option;

/**
 * Option {@code --faults-strict}: whether statements of {@code --faults} that were never applied
 * are a failure. They are reported in any case.
 */
public final class StrictFaultsOption {
  @Option(
      names = "--faults-strict",
      description =
          "Fail if a statement of --faults was never carried out, or names an unknown host;"
              + " otherwise that is only said.")
  private boolean isStrict;

  private final List<String> warnings = new CopyOnWriteArrayList<>();

  /** Adds a plan to the settings of an emulator, and collects its warnings. */
  public EmulatorBuilder inject(EmulatorBuilder builder, FaultPlan plan) {
    return builder.faultWarnings(warnings::add).faults(plan);
  }

  /** Warnings about the plan; complete once the emulator is closed. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  boolean isStrict() {
    return isStrict;
  }
}

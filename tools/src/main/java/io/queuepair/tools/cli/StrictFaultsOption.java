package io.queuepair.tools.cli;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import picocli.CommandLine.Option;

/**
 * {@code --faults-strict} beside {@code --faults}: whether statements that were never carried out
 * are a failure. They are said in any case.
 */
public final class StrictFaultsOption {
  @Option(
      names = "--faults-strict",
      description =
          "Fail if a statement of --faults was never carried out, or names an unknown host;"
              + " otherwise that is only said.")
  private boolean isStrict;

  private final List<String> warnings = new CopyOnWriteArrayList<>();

  /** Creates the option, to be filled by picocli. */
  public StrictFaultsOption() {}

  /**
   * Injects a plan, and listens to what is said about it.
   *
   * @param emulator without devices yet
   * @param plan what goes wrong
   * @return the emulator
   */
  public Emulator inject(Emulator emulator, FaultPlan plan) {
    return emulator.faultWarnings(warnings::add).inject(plan);
  }

  /** What was said about the plan, once the emulator is closed. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Whether anything said is a failure. */
  boolean isStrict() {
    return isStrict;
  }
}

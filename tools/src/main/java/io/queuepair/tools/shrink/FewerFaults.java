package io.queuepair.tools.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import java.util.List;

/**
 * Leaves faults out: first whole statements, then of what chance made of them single faults, each
 * of which becomes a statement about one packet.
 */
final class FewerFaults implements Reduction {
  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    if (specimen.faults().isEmpty()) {
      return specimen;
    }
    Specimen fewer = withoutNeedless(specimen, trial);
    Specimen exact = fewer.withFaults(trial.record(fewer).faultsTaken());
    boolean isOther = !exact.equals(fewer) && !isExact(fewer);
    return isOther && trial.fails(exact) ? withoutNeedless(exact, trial) : fewer;
  }

  /** Whether nothing depends on chance, so that exact rules would only be longer. */
  private static boolean isExact(Specimen specimen) {
    return specimen.faults().each().stream().allMatch(SimplerFaults::isAboutOnePacket);
  }

  private static Specimen withoutNeedless(Specimen specimen, Trial trial) {
    List<FaultPlan> needed =
        DeltaDebugging.minimal(
            specimen.faults().each(), plans -> trial.fails(specimen.withFaults(joined(plans))));
    return specimen.withFaults(joined(needed));
  }

  static FaultPlan joined(List<FaultPlan> plans) {
    return plans.stream().reduce(FaultPlan.none(), FaultPlan::plus);
  }
}

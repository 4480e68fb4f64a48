package io.queuepair.tools.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Leaves conditions of faults out that are not needed to find the packet. */
final class SimplerFaults implements Reduction {
  /** One packet, or one after the other, by their places. */
  private static final Pattern PLACE = Pattern.compile(".* \\d+(st|nd|rd|th)( .*)?");

  /** The conditions, the most special ones first. */
  private static final List<String> CONDITIONS =
      List.of(" to \\S+ qp \\d+ psn \\d+", " psn \\d+", " qp \\d+", " to \\S+");

  static boolean isAboutOnePacket(FaultPlan one) {
    return PLACE.matcher(one.withSeed(0).toString()).matches();
  }

  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    Specimen simplest = specimen;
    for (int i = 0; i < specimen.faults().each().size(); i++) {
      for (String condition : CONDITIONS) {
        List<FaultPlan> plans = new ArrayList<>(simplest.faults().each());
        String text = plans.get(i).withSeed(0).toString();
        String shorter = text.replaceFirst(condition, "");
        if (!shorter.equals(text)) {
          plans.set(i, FaultPlan.parse(shorter));
          Specimen simpler = simplest.withFaults(FewerFaults.joined(plans));
          simplest = trial.fails(simpler) ? simpler : simplest;
        }
      }
    }
    return simplest;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Leaves conditions of faults out that are not needed to find the packet. */
final class SimplifyFaults implements Reduction {
  /** One packet, or one after the other, by their places. */
  private static final Pattern PLACE = Pattern.compile(".* \\d+(st|nd|rd|th)( .*)?");

  /** The conditions, the most special ones first. */
  private static final List<String> CONDITIONS =
      List.of(" to \\S+ qp \\d+ psn \\d+", " psn \\d+", " qp \\d+", " to \\S+");

  static boolean isAboutOnePacket(FaultPlan one) {
    return PLACE.matcher(one.withSeed(0).toString()).matches();
  }

  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    TestCase simplest = testCase;
    for (int i = 0; i < testCase.faults().each().size(); i++) {
      for (String condition : CONDITIONS) {
        List<FaultPlan> plans = new ArrayList<>(simplest.faults().each());
        String text = plans.get(i).withSeed(0).toString();
        String shorter = text.replaceFirst(condition, "");
        if (!shorter.equals(text)) {
          plans.set(i, FaultPlan.parse(shorter));
          TestCase simpler = simplest.withFaults(RemoveFaults.joined(plans));
          simplest = trial.fails(simpler) ? simpler : simplest;
        }
      }
    }
    return simplest;
  }
}

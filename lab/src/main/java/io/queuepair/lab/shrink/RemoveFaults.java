// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.threads.DeltaDebugging;
import java.util.List;

/**
 * Leaves faults out: first whole statements, then of what chance made of them single faults, each
 * of which becomes a statement about one packet.
 */
final class RemoveFaults implements Reduction {
  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    if (testCase.faults().isEmpty()) {
      return testCase;
    }
    TestCase fewer = withoutNeedless(testCase, trial);
    TestCase exact = fewer.withFaults(trial.record(fewer).appliedFaults());
    boolean isOther = !exact.equals(fewer) && !isExact(fewer);
    return isOther && trial.fails(exact) ? withoutNeedless(exact, trial) : fewer;
  }

  /** Whether nothing depends on chance, so that exact rules would only be longer. */
  private static boolean isExact(TestCase testCase) {
    return testCase.faults().each().stream().allMatch(SimplifyFaults::isAboutOnePacket);
  }

  private static TestCase withoutNeedless(TestCase testCase, FailurePredicate trial) {
    List<FaultPlan> needed =
        DeltaDebugging.minimal(
            testCase.faults().each(), plans -> trial.fails(testCase.withFaults(joined(plans))));
    return testCase.withFaults(joined(needed));
  }

  static FaultPlan joined(List<FaultPlan> plans) {
    return plans.stream().reduce(FaultPlan.none(), FaultPlan::plus);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.faults.FaultPlan;
import java.util.Map;

/** Lets things go wrong from a certain moment of a test on. */
public final class NetworkFaults {
  private final TestNetwork network;

  NetworkFaults(TestNetwork network) {
    this.network = network;
  }

  /**
   * Begins to carry out a plan; several add up.
   *
   * @param plan statements in the language of fault plans, such as {@code drop 1st ACK}: what they
   *     count begins now
   * @throws io.queuepair.emulator.faults.FaultSyntaxException if it is no plan
   */
  public void inject(String plan) {
    network.injectFaults(plan);
    network.mark("faults: " + plan.strip().replaceAll("\\s*\n\\s*", "; "));
  }

  /**
   * Begins to carry out a plan; several add up.
   *
   * @param plan what goes wrong; without a seed its random numbers depend on that of the test
   */
  public void inject(FaultPlan plan) {
    inject(plan.toString());
  }

  /** Ends all plans. */
  public void clear() {
    network.emulator().clearFaults();
    network.mark("faults are cleared");
  }

  /** {@return how often each statement was carried out so far} */
  public Map<String, Long> counts() {
    return network.emulator().faultCounts();
  }
}

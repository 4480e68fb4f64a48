// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.util.Map;

/** Injects faults into the network from within a test. */
public final class NetworkFaults {
  private final TestNetwork network;

  NetworkFaults(TestNetwork network) {
    this.network = network;
  }

  /**
   * Adds a fault plan, which begins now; earlier ones stay active.
   *
   * @param plan statements in the language of fault plans, such as {@code drop 1st ACK}: their
   *     counts begin now
   * @throws io.queuepair.emulator.faults.FaultSyntaxException if it is no plan
   */
  public void inject(String plan) {
    network.injectFaults(plan);
    network.mark("faults: " + plan.strip().replaceAll("\\s*\n\\s*", "; "));
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.Set;
import java.util.TreeSet;

/**
 * Queue pairs whose state differs from the recorded one for an accepted reason: later differences
 * of them are accepted too.
 *
 * @param firstStep index of the step from which on their differences are accepted
 */
record Divergence(AcceptedRule cause, Set<String> queuePairs, int firstStep) {
  /**
   * Finds the step at which a divergence began: that of the last work posted before the first
   * recorded failure, which may precede the difference.
   */
  static Divergence at(Difference difference, AcceptedRule cause, QueuePairUse use) {
    Set<String> affected = new TreeSet<>(use.of(difference));
    for (String queuePair : use.of(difference)) {
      affected.addAll(use.peersOf(queuePair));
    }
    int shown = use.firstFailure(use.of(difference), difference.step());
    return new Divergence(cause, affected, use.lastWork(affected, shown));
  }

  boolean leadsTo(Difference difference, QueuePairUse use) {
    return difference.step() >= firstStep
        && use.of(difference).stream().anyMatch(queuePairs::contains);
  }
}

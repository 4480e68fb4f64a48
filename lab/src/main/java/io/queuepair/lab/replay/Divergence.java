// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.Set;
import java.util.TreeSet;

/**
 * Queue pairs that are in another state than the recorded ones, for a known reason: what they do
 * from then on says nothing more.
 *
 * @param firstStep from which step on nothing of them is compared
 */
record Divergence(AcceptedRule cause, Set<String> queuePairs, int firstStep) {
  /**
   * Finds where a divergence began. A difference is seen later than it came to be, and other traces
   * of it may be seen before: it began with the work posted before the first of them.
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

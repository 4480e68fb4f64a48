// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.Action;
import java.util.ArrayList;
import java.util.List;

/** Makes one wait of two that follow each other. */
final class JoinRuns implements Reduction {
  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    TestCase smallest = testCase;
    for (int i = testCase.workload().actions().size() - 1; i > 0; i--) {
      List<Action> actions = new ArrayList<>(smallest.workload().actions());
      if (actions.get(i - 1) instanceof Action.Run first
          && actions.get(i) instanceof Action.Run second) {
        actions.set(i - 1, new Action.Run(first.nanos() + second.nanos()));
        actions.remove(i);
        TestCase joined = smallest.withActions(actions);
        smallest = trial.fails(joined) ? joined : smallest;
      }
    }
    return smallest;
  }
}

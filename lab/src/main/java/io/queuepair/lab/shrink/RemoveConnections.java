// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.Action;
import io.queuepair.lab.simulation.ConnectionConfig;
import java.util.ArrayList;
import java.util.List;

/** Leaves connections out, with all that is done with them. */
final class RemoveConnections implements Reduction {
  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    TestCase smallest = testCase;
    for (int i = testCase.workload().plans().size() - 1; i >= 0; i--) {
      if (smallest.workload().plans().size() > 1) {
        TestCase smaller = without(smallest, i);
        smallest = trial.fails(smaller) ? smaller : smallest;
      }
    }
    return smallest;
  }

  private static TestCase without(TestCase testCase, int connection) {
    List<ConnectionConfig> plans = new ArrayList<>(testCase.workload().plans());
    plans.remove(connection);
    List<Action> actions = new ArrayList<>();
    for (Action action : testCase.workload().actions()) {
      if (action.connection() != connection) {
        boolean isBehind = action.connection() > connection;
        actions.add(isBehind ? action.withConnection(action.connection() - 1) : action);
      }
    }
    return testCase.with(plans, actions);
  }
}

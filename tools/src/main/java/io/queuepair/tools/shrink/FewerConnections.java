package io.queuepair.tools.shrink;

import io.queuepair.tools.workload.Action;
import io.queuepair.tools.workload.Plan;
import java.util.ArrayList;
import java.util.List;

/** Leaves connections out, with all that is done with them. */
final class FewerConnections implements Reduction {
  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    Specimen smallest = specimen;
    for (int i = specimen.workload().plans().size() - 1; i >= 0; i--) {
      if (smallest.workload().plans().size() > 1) {
        Specimen smaller = without(smallest, i);
        smallest = trial.fails(smaller) ? smaller : smallest;
      }
    }
    return smallest;
  }

  private static Specimen without(Specimen specimen, int connection) {
    List<Plan> plans = new ArrayList<>(specimen.workload().plans());
    plans.remove(connection);
    List<Action> actions = new ArrayList<>();
    for (Action action : specimen.workload().actions()) {
      if (action.connection() != connection) {
        boolean isBehind = action.connection() > connection;
        actions.add(isBehind ? action.withConnection(action.connection() - 1) : action);
      }
    }
    return specimen.with(plans, actions);
  }
}

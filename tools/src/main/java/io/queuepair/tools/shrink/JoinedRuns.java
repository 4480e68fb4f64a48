package io.queuepair.tools.shrink;

import io.queuepair.tools.workload.Action;
import java.util.ArrayList;
import java.util.List;

/** Makes one wait of two that follow each other. */
final class JoinedRuns implements Reduction {
  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    Specimen smallest = specimen;
    for (int i = specimen.workload().actions().size() - 1; i > 0; i--) {
      List<Action> actions = new ArrayList<>(smallest.workload().actions());
      if (actions.get(i - 1) instanceof Action.Run first
          && actions.get(i) instanceof Action.Run second) {
        actions.set(i - 1, new Action.Run(first.nanos() + second.nanos()));
        actions.remove(i);
        Specimen joined = smallest.withActions(actions);
        smallest = trial.fails(joined) ? joined : smallest;
      }
    }
    return smallest;
  }
}

package io.queuepair.tools.shrink;

import io.queuepair.tools.workload.Membership;
import io.queuepair.tools.workload.Plan;
import io.queuepair.tools.workload.RetryAttributes;
import io.queuepair.verbs.Mtu;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes connections ordinary: PSNs from 0, one READ at a time, no traits. */
final class SimplerPlans implements Reduction {
  private static final List<UnaryOperator<Plan>> WAYS =
      List.of(
          plan -> new Plan(plan.type(), plan.mtu(), plan.reads(), plan.psn()),
          plan -> plan.with(plan.retry(), plan.membership(), Set.of()),
          plan -> plan.with(plan.retry(), Membership.DEFAULT, plan.traits()),
          plan -> plan.with(RetryAttributes.DEFAULT, plan.membership(), plan.traits()),
          plan -> plan.with(plan.mtu(), plan.reads(), 0),
          plan -> plan.with(plan.mtu(), 1, plan.psn()),
          plan -> plan.with(Mtu.MTU_1024, plan.reads(), plan.psn()));

  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    Specimen simplest = specimen;
    for (int i = 0; i < specimen.workload().plans().size(); i++) {
      for (UnaryOperator<Plan> way : WAYS) {
        List<Plan> plans = new ArrayList<>(simplest.workload().plans());
        Plan present = plans.set(i, way.apply(plans.get(i)));
        Specimen simpler = simplest.with(plans, simplest.workload().actions());
        boolean isOther = !plans.get(i).equals(present);
        simplest = isOther && trial.fails(simpler) ? simpler : simplest;
      }
    }
    return simplest;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.ConnectionConfig;
import io.queuepair.lab.simulation.Membership;
import io.queuepair.lab.simulation.RetryAttributes;
import io.queuepair.verbs.Mtu;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes connections ordinary: PSNs from 0, one READ at a time, no traits. */
final class SimplifyConnections implements Reduction {
  private static final List<UnaryOperator<ConnectionConfig>> WAYS =
      List.of(
          plan -> new ConnectionConfig(plan.type(), plan.mtu(), plan.reads(), plan.psn()),
          plan -> plan.with(plan.retry(), plan.membership(), Set.of()),
          plan -> plan.with(plan.retry(), Membership.DEFAULT, plan.traits()),
          plan -> plan.with(RetryAttributes.DEFAULT, plan.membership(), plan.traits()),
          plan -> plan.with(plan.mtu(), plan.reads(), 0),
          plan -> plan.with(plan.mtu(), 1, plan.psn()),
          plan -> plan.with(Mtu.MTU_1024, plan.reads(), plan.psn()));

  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    TestCase simplest = testCase;
    for (int i = 0; i < testCase.workload().plans().size(); i++) {
      for (UnaryOperator<ConnectionConfig> way : WAYS) {
        List<ConnectionConfig> plans = new ArrayList<>(simplest.workload().plans());
        ConnectionConfig present = plans.set(i, way.apply(plans.get(i)));
        TestCase simpler = simplest.with(plans, simplest.workload().actions());
        boolean isOther = !plans.get(i).equals(present);
        simplest = isOther && trial.fails(simpler) ? simpler : simplest;
      }
    }
    return simplest;
  }
}

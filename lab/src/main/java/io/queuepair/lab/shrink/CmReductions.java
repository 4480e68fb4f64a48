// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.cmsimulation.CmAnswer;
import io.queuepair.lab.cmsimulation.CmConnectionPlan;
import io.queuepair.lab.cmsimulation.CmEnding;
import io.queuepair.lab.cmsimulation.CmTestCase;
import java.util.List;
import java.util.function.UnaryOperator;

/** Reductions of test cases with connections through the connection manager. */
final class CmReductions {
  private static final List<UnaryOperator<CmConnectionPlan>> SIMPLER =
      List.of(
          plan -> plan.withMessages(0),
          plan -> plan.withAnswer(CmAnswer.ACCEPT, plan.answerMillis()),
          plan -> plan.withAnswer(plan.answer(), 0),
          plan -> plan.withEnding(CmEnding.ACTIVE_DISCONNECTS, plan.endMillis()),
          plan -> plan.withEnding(plan.ending(), 0));

  /** Reductions, repeated until none succeeds; those that remove most come first. */
  static final List<Reduction<CmTestCase>> ALL =
      List.of(
          Reduction.removing(CmTestCase::connections, CmTestCase::withConnections, 1),
          Reduction.simplifying(CmTestCase::connections, CmTestCase::withConnections, SIMPLER),
          FaultReductions::remove);

  private CmReductions() {}
}

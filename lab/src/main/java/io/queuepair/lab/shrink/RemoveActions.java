// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.threads.DeltaDebugging;

/** Leaves actions out. */
final class RemoveActions implements Reduction {
  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    return testCase.withActions(
        DeltaDebugging.minimal(
            testCase.workload().actions(), actions -> trial.fails(testCase.withActions(actions))));
  }
}

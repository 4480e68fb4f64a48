// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.lab.cmsimulation.CmTestCase;
import io.queuepair.lab.shrink.ShrinkResult;
import io.queuepair.lab.shrink.Shrinker;
import io.queuepair.lab.shrink.ShrunkConnections;
import io.queuepair.lab.shrink.ShrunkScenario;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.lab.simulation.TestCase;
import io.queuepair.lab.simulation.WorkTestCase;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Kind of simulation: makes cases from seeds, reduces and describes those that fail. */
record SimulationKind<T extends TestCase<T>>(
    LongFunction<T> testCase,
    Function<Shrinker.ShrinkListener<T>, Shrinker<T>> shrinker,
    BiFunction<ShrinkResult<T>, String, List<String>> text) {
  /** Random work on queue pairs that are connected from the beginning. */
  static SimulationKind<WorkTestCase> ofWork(SimulationOptions options) {
    return new SimulationKind<>(
        seed -> WorkTestCase.of(seed, options), Shrinker::ofWork, ShrunkScenario::of);
  }

  /** Random connections through the connection manager. */
  static SimulationKind<CmTestCase> ofConnections(SimulationOptions options) {
    return new SimulationKind<>(
        seed -> CmTestCase.of(seed, options),
        Shrinker::ofConnections,
        (result, command) -> ShrunkConnections.of(result));
  }
}

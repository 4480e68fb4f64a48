// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.TestCase;

/**
 * Result of reducing a test case.
 *
 * @param recording of the run of the smallest test case
 * @param runs number of simulations
 */
public record ShrinkResult<T extends TestCase<T>>(
    T original, SimulationFailure failure, T smallest, Recording recording, int runs) {}

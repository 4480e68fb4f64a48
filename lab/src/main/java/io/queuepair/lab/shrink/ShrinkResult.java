// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.TestCase;

/**
 * Result of reducing a test case.
 *
 * @param <T> what was reduced
 * @param original what was reduced
 * @param failure of the original
 * @param smallest what is left
 * @param recording of the smallest
 * @param runs how many simulations that took
 */
public record ShrinkResult<T extends TestCase<T>>(
    T original, SimulationFailure failure, T smallest, Recording recording, int runs) {}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.shrink;

import io.queuepair.testkit.simulation.Recording;
import io.queuepair.testkit.simulation.SimulationFailure;

/**
 * What a specimen was reduced to.
 *
 * @param original what was reduced
 * @param failure of the original
 * @param smallest what is left
 * @param recording of the smallest
 * @param runs how many simulations that took
 */
public record ShrinkResult(
    TestCase original,
    SimulationFailure failure,
    TestCase smallest,
    Recording recording,
    int runs) {}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;

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

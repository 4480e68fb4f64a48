package io.queuepair.tools.shrink;

import io.queuepair.tools.workload.Failure;
import io.queuepair.tools.workload.Recording;

/**
 * What a specimen was reduced to.
 *
 * @param original what was reduced
 * @param failure of the original
 * @param smallest what is left
 * @param recording of the smallest
 * @param runs how many simulations that took
 */
public record Shrunk(
    Specimen original, Failure failure, Specimen smallest, Recording recording, int runs) {}

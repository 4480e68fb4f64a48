// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair bench}: every figure beside its ceiling or reference, measured in the same run.
 *
 * <p>{@link io.queuepair.lab.bench.BenchmarkCases} is the table of what is measured, with the
 * threshold of each. What devices do meanwhile is in {@code bench.load}, what the machine can do
 * without them in {@code bench.baseline}. Nothing here asserts speed: machines are shared and
 * noisy.
 */
package io.queuepair.lab.bench;

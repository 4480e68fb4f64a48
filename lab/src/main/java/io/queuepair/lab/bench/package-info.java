// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair bench}: {@link io.queuepair.lab.bench.BenchmarkCases} is the table of what is
 * measured, beside what people know of the same machine. Nothing here asserts speed: machines are
 * shared and noisy.
 */
package io.queuepair.lab.bench;

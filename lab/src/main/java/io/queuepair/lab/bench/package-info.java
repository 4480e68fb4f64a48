// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair bench}: {@link io.queuepair.lab.bench.BenchmarkCases} is the table of
 * benchmarks, with references measured on the same machine. No test asserts speed: machines are
 * shared and noisy.
 */
package io.queuepair.lab.bench;

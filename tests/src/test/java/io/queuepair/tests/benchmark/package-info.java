/**
 * Benchmarks: programs that measure and print, each figure with the ceiling of the same run beside
 * it. Nothing here asserts speed. Run with {@code bin/benchmark}-like commands as {@code
 * docs/benchmarks.md} says.
 */
package io.queuepair.tests.benchmark;

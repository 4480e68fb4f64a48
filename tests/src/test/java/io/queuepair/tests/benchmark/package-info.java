/**
 * Benchmarks: programs that measure and print, each figure with the ceiling of the same run beside
 * it. Nothing here asserts speed. {@code docs/benchmarks.md} says how to run them.
 */
package io.queuepair.tests.benchmark;

// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks of single steps, for JMH: what each costs, without anything around it. What whole
 * devices reach is measured by {@code queuepair bench}. Nothing here asserts speed; {@code
 * docs/benchmarks.md} says how to run them.
 */
package io.queuepair.tests.benchmark;

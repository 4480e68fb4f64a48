// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

/** One way in which a specimen can become smaller, or simpler. */
@FunctionalInterface
interface Reduction {
  /**
   * Reduces a specimen.
   *
   * @param testCase which fails
   * @param trial says what else does
   * @return one that fails; the same if none smaller was found
   */
  TestCase apply(TestCase testCase, FailurePredicate trial);
}

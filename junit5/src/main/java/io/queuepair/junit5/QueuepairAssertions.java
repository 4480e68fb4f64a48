// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.verbs.WorkCompletion;

/**
 * Entry points of assertions, for static import. They can stand beside those of AssertJ, which is
 * not required.
 */
public final class QueuepairAssertions {
  private QueuepairAssertions() {}

  /**
   * Begins an assertion about what the first side of a pair has sent, and what it received.
   *
   * @param pair two connected queue pairs
   * @return the assertion about its side a
   */
  public static PacketsAssert assertThat(QpPair pair) {
    return new PacketsAssert(pair.a());
  }

  /**
   * Begins an assertion about what one side of a pair has sent, and what it received.
   *
   * @param endpoint a side of a pair
   * @return the assertion
   */
  public static PacketsAssert assertThat(QpEndpoint endpoint) {
    return new PacketsAssert(endpoint);
  }

  /**
   * Begins an assertion about how a work request ended.
   *
   * @param completion that was polled
   * @return the assertion
   */
  public static CompletionAssert assertThat(WorkCompletion completion) {
    return new CompletionAssert(completion);
  }
}

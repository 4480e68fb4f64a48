// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A rule that steers frames to a queue pair ({@code struct ibv_flow}). Thread-safe. */
public interface Flow extends AutoCloseable {
  /**
   * Where matching frames go.
   *
   * @return the queue pair, which cannot be destroyed as long as the flow exists
   */
  QueuePair qp();

  /**
   * The rule.
   *
   * @return the attributes it was created from
   */
  FlowAttr attr();

  /** Destroys the flow; receives stay posted. */
  @Override
  @Verb("ibv_destroy_flow")
  void close();
}

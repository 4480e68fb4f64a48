// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * How a batch is polled ({@code struct ibv_poll_cq_attr}).
 *
 * @param compMask which later additions to this structure are used; there are none, so 0
 */
public record PollCqAttr(int compMask) {
  /** Nothing special. */
  public static final PollCqAttr NONE = new PollCqAttr(0);
}

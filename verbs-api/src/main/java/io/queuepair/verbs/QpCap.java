// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Capacities of a queue pair ({@code struct ibv_qp_cap}). A device may grant more than was asked.
 *
 * @param maxSendWr send work requests outstanding
 * @param maxRecvWr receive work requests outstanding
 * @param maxSendSge scatter/gather entries of a send
 * @param maxRecvSge scatter/gather entries of a receive
 * @param maxInlineData bytes of inline data of a send
 */
public record QpCap(
    int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {
  /**
   * Capacities for an equal number of sends and receives, one scatter/gather entry each, no inline
   * data.
   *
   * @param maxWr work requests outstanding in each queue
   * @return the capacities
   */
  public static QpCap of(int maxWr) {
    return new QpCap(maxWr, maxWr, 1, 1, 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Attributes of a shared receive queue ({@code struct ibv_srq_attr}).
 *
 * @param maxWr receives outstanding
 * @param maxSge scatter/gather entries of a receive
 * @param srqLimit number of receives below which the limit event is raised; 0 for none
 */
public record SrqAttr(int maxWr, int maxSge, int srqLimit) {
  /**
   * A capacity, without limit event.
   *
   * @param maxWr receives outstanding
   * @param maxSge scatter/gather entries of a receive
   * @return the attributes
   */
  public static SrqAttr of(int maxWr, int maxSge) {
    return new SrqAttr(maxWr, maxSge, 0);
  }
}

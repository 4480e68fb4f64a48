// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * How fast a queue pair may send ({@code struct ibv_qp_rate_limit_attr}).
 *
 * @param rateLimit in kbit/s; 0 for no limit
 * @param maxBurstSz bytes that may be sent at once; 0 leaves it to the device
 * @param typicalPktSz bytes of the usual packet; 0 leaves it to the device
 */
public record QpRateLimitAttr(int rateLimit, int maxBurstSz, int typicalPktSz) {
  /**
   * A rate without more.
   *
   * @param rateLimit in kbit/s; 0 for no limit
   * @return the attributes
   */
  public static QpRateLimitAttr of(int rateLimit) {
    return new QpRateLimitAttr(rateLimit, 0, 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/**
 * When a reliable connection tries again, and how often.
 *
 * @param timeout code of the ACK timeout
 * @param retryCnt retries after losses
 * @param rnrRetry retries while the receiver is not ready; 7 is without limit
 * @param minRnrTimer code of the time that the receiver asks for then
 */
public record RetryAttributes(int timeout, int retryCnt, int rnrRetry, int minRnrTimer) {
  /** Value of RNR_RETRY that means: without limit. */
  static final int WITHOUT_LIMIT = 7;

  /** 262 us, more than any packet is late; seven retries; 10 us, without limit. */
  public static final RetryAttributes DEFAULT = new RetryAttributes(6, 7, WITHOUT_LIMIT, 1);

  /** Whether a receiver that is never ready fails the connection. */
  boolean limitsRefusals() {
    return rnrRetry != WITHOUT_LIMIT;
  }
}

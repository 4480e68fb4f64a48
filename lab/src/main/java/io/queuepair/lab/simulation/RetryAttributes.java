// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/**
 * Timeouts and retry counts of a reliable connection.
 *
 * @param timeout code of the ACK timeout
 * @param retryCnt retries after lost packets
 * @param rnrRetry retries after RNR NAKs; 7 is without limit
 * @param minRnrTimer code of the wait that an RNR NAK asks for
 */
public record RetryAttributes(int timeout, int retryCnt, int rnrRetry, int minRnrTimer) {
  /** Value of RNR_RETRY without a limit. */
  static final int WITHOUT_LIMIT = 7;

  /** ACK timeout 262 us, longer than any delay; seven retries; RNR timer 10 us, no limit. */
  public static final RetryAttributes DEFAULT = new RetryAttributes(6, 7, WITHOUT_LIMIT, 1);

  /** Whether the connection fails if the receiver is never ready. */
  boolean limitsRefusals() {
    return rnrRetry != WITHOUT_LIMIT;
  }
}

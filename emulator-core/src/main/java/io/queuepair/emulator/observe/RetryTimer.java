// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

/**
 * A timer of a requester that runs.
 *
 * @param kind what it waits for
 * @param deadlineNanos when it ends, by the scheduler of the network
 */
public record RetryTimer(Kind kind, long deadlineNanos) {
  /** Kinds of waits of a requester. */
  public enum Kind {
    /** An answer: the Local ACK Timeout. */
    ACK,

    /** A peer that was not ready: the time of its RNR NAK. */
    RNR
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

/**
 * A running timer of a requester.
 *
 * @param kind what it waits for
 * @param deadlineNanos when it expires, by the scheduler of the network
 */
public record RetryTimer(Kind kind, long deadlineNanos) {
  /** Kinds of waits of a requester. */
  public enum Kind {
    /** Local ACK Timeout: the requester waits for a response. */
    ACK,

    /** RNR NAK timer: the requester waits before it sends again to a peer that was not ready. */
    RNR
  }
}

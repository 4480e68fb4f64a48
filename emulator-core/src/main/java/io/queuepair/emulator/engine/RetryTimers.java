// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.LocalAckTimeout;
import io.queuepair.emulator.wire.RnrTimer;

/** ACK timeout, RNR wait and retry counters of a requester. */
final class RetryTimers implements Timed {
  private static final int RNR_RETRY_FOREVER = 7;

  private final QpAttributes attributes;
  private final SendWindowConfig sendWindow;
  private int retriesLeft;
  private int rnrRetriesLeft;

  /** RNR NAKs since the last progress. */
  private int rnrNaks;

  /** Whether the current loss has caused a retry; further NAKs for it are ignored. */
  private boolean isRetrying;

  private boolean waitsForAck;
  private long ackDeadlineNanos;
  private boolean waitsForReceiver;
  private long receiverReadyNanos;

  RetryTimers(QpAttributes attributes, SendWindowConfig sendWindow) {
    this.attributes = attributes;
    this.sendWindow = sendWindow;
  }

  void start() {
    stop();
    refill();
  }

  void stop() {
    waitsForAck = false;
    waitsForReceiver = false;
    isRetrying = false;
  }

  /** Restarts all counters from the current attributes. */
  void refill() {
    retriesLeft = attributes.retryCnt();
    rnrRetriesLeft = attributes.rnrRetry();
    rnrNaks = 0;
  }

  /** Starts the ACK timer at a sent packet, unless TIMEOUT is 0 or an RNR wait runs. */
  void sent(long nowNanos) {
    // Rule timers.ack-timeout: The timer runs from the first packet that is not acknowledged, but
    // not for messages that do not ask; with code 0 it never ends.
    // Source: rxe_comp.c retransmit_timer; rxe_qp.c rxe_qp_from_attr
    // Test: RetryTest.waitsForTheWholeTimeout
    if (!waitsForAck && !waitsForReceiver && attributes.timeout() != 0) {
      waitsForAck = true;
      ackDeadlineNanos =
          nowNanos + sendWindow.ackWaitNanos(LocalAckTimeout.nanos(attributes.timeout()));
    }
  }

  /** Restarts counters and ACK timer after an acknowledgement. */
  void progressed(boolean isTimed, long nowNanos) {
    refill();
    isRetrying = false;
    waitsForAck = false;
    if (isTimed) {
      sent(nowNanos);
    }
  }

  /**
   * Whether a loss takes another retry: not during a retry for the same loss, nor during an RNR
   * wait. Packets after the one with the RNR NAK were dropped and are sent again anyway; Linux
   * Soft-RoCE still NAKs them as missing.
   */
  boolean isNewLoss() {
    return !isRetrying && !waitsForReceiver;
  }

  /**
   * Uses one retry.
   *
   * @return false if none is left
   */
  boolean takeRetry() {
    // Rule timers.retry-count: RETRY_CNT losses in a row are tolerated; progress restores them.
    // Source: rxe_comp.c rxe_completer
    // Test: RetryTest.hasAllRetriesAgainAfterProgress
    waitsForAck = false;
    isRetrying = true;
    if (retriesLeft == 0) {
      return false;
    }
    retriesLeft--;
    return true;
  }

  /**
   * Uses one RNR retry and starts the wait before it.
   *
   * @return false if none is left
   */
  boolean takeRnrRetry(int timerCode, long nowNanos) {
    // Rule timers.rnr-retry: RNR_RETRY refusals in a row are tolerated, any number with 7.
    // Source: rxe_comp.c rxe_completer
    // Test: ReceiverWaitTest.toleratesAnyNumberOfRefusalsWithSeven
    if (rnrRetriesLeft == 0) {
      return false;
    }
    if (attributes.rnrRetry() != RNR_RETRY_FOREVER) {
      rnrRetriesLeft--;
    }
    rnrNaks++;
    isRetrying = false; // The refused packet has arrived.
    waitsForAck = false;
    waitsForReceiver = true;
    receiverReadyNanos = nowNanos + RnrTimer.nanos(timerCode);
    return true;
  }

  /** RNR NAKs in a row if RNR_RETRY is without limit; otherwise 0. */
  int infiniteRnrRetries() {
    return attributes.rnrRetry() == RNR_RETRY_FOREVER ? rnrNaks : 0;
  }

  boolean waitsForReceiver() {
    return waitsForReceiver;
  }

  @Override
  public boolean hasDeadline() {
    return waitsForAck || waitsForReceiver;
  }

  @Override
  public long deadlineNanos() {
    return waitsForReceiver ? receiverReadyNanos : ackDeadlineNanos;
  }

  void expireReceiverWait(long nowNanos) {
    if (waitsForReceiver && nowNanos - receiverReadyNanos >= 0) {
      waitsForReceiver = false;
    }
  }

  boolean isAckOverdue(long nowNanos) {
    return waitsForAck && nowNanos - ackDeadlineNanos >= 0;
  }
}

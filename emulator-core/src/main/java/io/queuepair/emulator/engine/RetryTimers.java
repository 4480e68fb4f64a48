// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.LocalAckTimeout;
import io.queuepair.emulator.wire.RnrTimer;

/** When a requester tries again, and how often it still may. */
final class RetryTimers implements Timed {
  /** Value of RNR_RETRY that means: without limit. */
  private static final int RNR_RETRY_FOREVER = 7;

  private final QpAttributes attributes;
  private final SendWindowConfig sendWindow;
  private int retriesLeft;
  private int rnrRetriesLeft;

  /** How often the receiver was not ready since something was acknowledged. */
  private int rnrNaks;

  /** Whether the loss at hand has led to a retry already; more NAKs of it change nothing. */
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

  /** All counters start again, from the attributes as they are. */
  void refill() {
    retriesLeft = attributes.retryCnt();
    rnrRetriesLeft = attributes.rnrRetry();
    rnrNaks = 0;
  }

  /**
   * A packet went out: an answer is due, unless the timeout says never. While the receiver is
   * waited for nothing is due: what is outstanding goes out again afterwards.
   */
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

  /** Something was acknowledged: all counters start again. */
  void progressed(boolean isTimed, long nowNanos) {
    refill();
    isRetrying = false;
    waitsForAck = false;
    if (isTimed) {
      sent(nowNanos);
    }
  }

  /**
   * Whether another retry for a loss is due: not while one for the same loss is under way, nor
   * while the receiver is waited for. What followed the refused packet was dropped with it and goes
   * out again anyway; Linux Soft-RoCE reports it missing all the same.
   */
  boolean isNewLoss() {
    return !isRetrying && !waitsForReceiver;
  }

  /**
   * Takes one of the retries.
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
   * Takes one of the RNR retries and waits before it.
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
    waitsForAck = false;
    waitsForReceiver = true;
    receiverReadyNanos = nowNanos + RnrTimer.nanos(timerCode);
    return true;
  }

  /** How often in a row the receiver was not ready, if that may go on without limit; else 0. */
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

  /** Ends the wait for the receiver if it is over. */
  void expireReceiverWait(long nowNanos) {
    if (waitsForReceiver && nowNanos - receiverReadyNanos >= 0) {
      waitsForReceiver = false;
    }
  }

  /** Whether the answer is overdue. */
  boolean isAckOverdue(long nowNanos) {
    return waitsForAck && !waitsForReceiver && nowNanos - ackDeadlineNanos >= 0;
  }
}

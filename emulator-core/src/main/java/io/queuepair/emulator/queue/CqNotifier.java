// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Notifies the channel of a completion queue: at most once for each arming, and under moderation
 * only after a number of completions or a time.
 */
final class CqNotifier {
  private enum Armed {
    NO,
    SOLICITED,
    NEXT
  }

  private final CqModerator moderator;
  private final Runnable notifyChannel;

  private Armed armed = Armed.NO;

  /** Completions to an announcement; 0 for no such rule. */
  private int moderationCount;

  /** Time from the first completion to the announcement; 0 for no such rule. */
  private long moderationNanos;

  /** Completions since the arming that count for it. */
  private int counted;

  /** When the first of them was added. */
  private long firstNanos;

  /**
   * Starts unarmed and without moderation.
   *
   * @param announce makes the announcement
   */
  CqNotifier(CqModerator moderator, Runnable announce) {
    this.moderator = moderator;
    this.notifyChannel = announce;
  }

  /** Arms; asking for any completion overrides asking for solicited ones. */
  void arm(boolean solicitedOnly) {
    if (armed != Armed.NEXT) {
      armed = solicitedOnly ? Armed.SOLICITED : Armed.NEXT;
    }
  }

  boolean isArmed() {
    return armed != Armed.NO;
  }

  /** Whether completions have come since the arming that are held back. */
  boolean hasCounted() {
    return counted > 0;
  }

  /** Forgets the arming and what it has counted. */
  void disarm() {
    armed = Armed.NO;
    counted = 0;
    moderator.release(this);
  }

  /** Moderates; what was counted so far counts on. */
  void moderate(int count, long nanos) {
    moderationCount = count;
    moderationNanos = nanos;
    moderator.release(this);
    notifyOrHold();
  }

  /** A completion was added. */
  void added(boolean isSolicited) {
    if (armed == Armed.NO || (armed == Armed.SOLICITED && !isSolicited)) {
      return;
    }
    if (counted == 0) {
      firstNanos = moderator.nowNanos();
    }
    counted++;
    notifyOrHold();
  }

  private void notifyOrHold() {
    notifyIfDue();
    if (counted > 0 && moderationNanos > 0) {
      moderator.hold(this);
    }
  }

  /** When the announcement is due whatever else is completed. */
  long deadlineNanos() {
    return firstNanos + moderationNanos;
  }

  void notifyIfDue() {
    if (isDue()) {
      disarm();
      notifyChannel.run();
    }
  }

  private boolean isDue() {
    if (counted == 0) {
      return false;
    }
    if (moderationCount == 0 && moderationNanos == 0) {
      return true;
    }
    return (moderationCount > 0 && counted >= moderationCount)
        || (moderationNanos > 0 && moderator.nowNanos() - deadlineNanos() >= 0);
  }
}

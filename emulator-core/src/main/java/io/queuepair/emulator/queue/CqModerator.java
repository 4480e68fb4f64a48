// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * The state that all completion queues of a device share: the time of the current step, memory
 * limits, and the queues whose notification is delayed by moderation.
 */
public final class CqModerator {
  /** Few: only moderated queues that have something to announce. */
  private final List<CqNotifier> holdingNotifiers = new ArrayList<>();

  private long nowNanos;
  private boolean hasRoom = true;

  /** Whether completion queues take anything, however long they are. */
  boolean hasRoom() {
    return hasRoom;
  }

  /** Sets whether completion queues take entries; if not, each counts as full, as a plan asks. */
  public void setRoom(boolean room) {
    hasRoom = room;
  }

  public long nowNanos() {
    return nowNanos;
  }

  /** Says what time it is, before anything that may add completions. */
  public void advance(long newNowNanos) {
    nowNanos = newNowNanos;
  }

  void hold(CqNotifier notifier) {
    if (!holdingNotifiers.contains(notifier)) {
      holdingNotifiers.add(notifier);
    }
  }

  void release(CqNotifier notifier) {
    holdingNotifiers.remove(notifier);
  }

  /** Whether an announcement is held back. */
  public boolean hasDeadline() {
    return !holdingNotifiers.isEmpty();
  }

  /** When the next announcement is due; only if {@link #hasDeadline}. */
  public long deadlineNanos() {
    long earliest = holdingNotifiers.get(0).deadlineNanos();
    for (CqNotifier notifier : holdingNotifiers) {
      if (notifier.deadlineNanos() - earliest < 0) {
        earliest = notifier.deadlineNanos();
      }
    }
    return earliest;
  }

  /** Makes the announcements that are due by now. */
  public void expire() {
    if (hasDeadline()) {
      List.copyOf(holdingNotifiers).forEach(CqNotifier::notifyIfDue);
    }
  }
}

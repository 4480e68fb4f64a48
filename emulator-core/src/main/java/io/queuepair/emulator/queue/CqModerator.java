// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * The state that all completion queues of a device share: the time of the current step, memory
 * limits, and the queues whose notification is delayed by moderation.
 */
public final class CqModerator implements Timed {
  /** Few: only moderated queues that have something to announce. */
  private final List<CompletionRing> holdingRings = new ArrayList<>();

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

  void hold(CompletionRing ring) {
    if (!holdingRings.contains(ring)) {
      holdingRings.add(ring);
    }
  }

  void release(CompletionRing ring) {
    holdingRings.remove(ring);
  }

  /** Whether an announcement is held back. */
  @Override
  public boolean hasDeadline() {
    return !holdingRings.isEmpty();
  }

  @Override
  public long deadlineNanos() {
    long earliest = holdingRings.get(0).announcementNanos();
    for (CompletionRing ring : holdingRings) {
      if (ring.announcementNanos() - earliest < 0) {
        earliest = ring.announcementNanos();
      }
    }
    return earliest;
  }

  /** Makes the announcements that are due by now. */
  public void expire() {
    if (hasDeadline()) {
      List.copyOf(holdingRings).forEach(CompletionRing::announceIfDue);
    }
  }
}

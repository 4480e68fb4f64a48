// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * State that all completion queues of a device share: the time of the current step, whether they
 * have room, and the queues whose event is delayed by moderation.
 */
public final class CqModerator implements Timed {
  /** Moderated queues that hold back an event; few. */
  private final List<CompletionRing> holdingRings = new ArrayList<>();

  private long nowNanos;
  private boolean hasRoom = true;

  /** Whether completion queues accept entries; false only if a fault plan says so. */
  boolean hasRoom() {
    return hasRoom;
  }

  /** Sets whether completion queues accept entries; if not, each counts as full. */
  public void setRoom(boolean room) {
    hasRoom = room;
  }

  public long nowNanos() {
    return nowNanos;
  }

  /** Sets the time of the current step, before completions are added. */
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

  /** Whether an event is held back. */
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

  /** Announces the events that are due. */
  public void expire() {
    if (hasDeadline()) {
      List.copyOf(holdingRings).forEach(CompletionRing::announceIfDue);
    }
  }
}

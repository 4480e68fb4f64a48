package io.queuepair.emulator.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * What all completion queues of a device share: the time of the step at work, room, and which of
 * them hold an announcement back until a moment of their own.
 */
public final class CompletionClock {
  /** Few: only moderated queues that have something to announce. */
  private final List<Announcer> holding = new ArrayList<>();

  private long nowNanos;
  private boolean hasRoom = true;

  /** Whether completion queues take anything, however long they are. */
  boolean hasRoom() {
    return hasRoom;
  }

  /** Lets completion queues be full, or makes room again. */
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

  void hold(Announcer announcer) {
    if (!holding.contains(announcer)) {
      holding.add(announcer);
    }
  }

  void release(Announcer announcer) {
    holding.remove(announcer);
  }

  /** Whether an announcement is held back. */
  public boolean hasDeadline() {
    return !holding.isEmpty();
  }

  /** When the next announcement is due; only if {@link #hasDeadline}. */
  public long deadlineNanos() {
    long earliest = holding.get(0).deadlineNanos();
    for (Announcer announcer : holding) {
      if (announcer.deadlineNanos() - earliest < 0) {
        earliest = announcer.deadlineNanos();
      }
    }
    return earliest;
  }

  /** Makes the announcements that are due by now. */
  public void expire() {
    if (hasDeadline()) {
      List.copyOf(holding).forEach(Announcer::announceIfDue);
    }
  }
}

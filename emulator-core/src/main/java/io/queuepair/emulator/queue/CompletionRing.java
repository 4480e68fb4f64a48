// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of the completions of one completion queue. It notifies the channel: at most once
 * for each arming, and under moderation only after a number of completions or a time.
 */
public final class CompletionRing {
  /** Entries not in use that are kept; more are left to the collector. */
  private static final int MAX_FREE = 4096;

  private final Ring<Cqe> ring;

  /** Entries to be used again. */
  private final Deque<Cqe> freeCqes = new ArrayDeque<>(2);

  /** How many there are, for those who look without a lock. */
  private final AtomicInteger untaken = new AtomicInteger();

  private final boolean ignoresOverrun;
  private final CqModerator moderator;

  /** Where this ring goes when an announcement is due. */
  private final Queue<CompletionRing> announcedRings;

  /** Listener to asynchronous events of the queue. */
  private final Consumer<EventType> events;

  private boolean overrun;

  /** Where a program polls the entries, or null. */
  private @Nullable CqBuffer buffer;

  /** Entries in the buffer that are lost here already. */
  private int lost;

  /** Entries that were taken and still take up room. */
  private int unreleased;

  private Armed armed = Armed.NO;

  /** Completions to an announcement; 0 for no such rule. */
  private int moderationCount;

  /** Time from the first completion to the announcement; 0 for no such rule. */
  private long moderationNanos;

  /** Completions since the arming that count for it. */
  private int counted;

  /** When the first of them was added. */
  private long firstNanos;

  /** Completions that an announcement was asked for. */
  private enum Armed {
    NO,
    SOLICITED,
    NEXT
  }

  /** Makes an empty queue that overruns. */
  public CompletionRing(
      int capacity,
      CqModerator moderator,
      Queue<CompletionRing> announcedRings,
      Consumer<EventType> events) {
    this(capacity, false, moderator, announcedRings, events);
  }

  /**
   * Makes an empty queue.
   *
   * @param ignoresOverrun whether the oldest completion makes room for a new one
   * @param moderator that of the device
   * @param announcedRings where this ring goes when an announcement is due
   */
  public CompletionRing(
      int capacity,
      boolean ignoresOverrun,
      CqModerator moderator,
      Queue<CompletionRing> announcedRings,
      Consumer<EventType> events) {
    ring = new Ring<>(capacity);
    this.ignoresOverrun = ignoresOverrun;
    this.moderator = moderator;
    this.announcedRings = announcedRings;
    this.events = events;
  }

  public int capacity() {
    return ring.capacity();
  }

  /** Entries in use. */
  public int size() {
    return ring.size() + unreleased;
  }

  /** Puts all entries into a buffer from now on, first those that are there. */
  public void map(CqBuffer newBuffer) {
    reap();
    lost = 0;
    buffer = newBuffer;
    for (int left = ring.size(); left > 0; left--) {
      Cqe cqe = removeOldest();
      if (cqe.isRemoved()) {
        recycle(cqe);
      } else {
        push(cqe);
        buffer.produce(cqe);
      }
    }
  }

  /** Takes the entries that the program has consumed, which frees slots of send queues. */
  public void reap() {
    if (buffer != null) {
      int consumed = buffer.consumed();
      int passed = Math.max(0, Math.min(lost, consumed));
      lost -= passed;
      for (int left = consumed - passed; left > 0 && !isEmpty(); left--) {
        recycle(take());
      }
    }
  }

  /** Changes the capacity, to no less than there is. */
  public void resize(int capacity) {
    ring.resize(capacity);
  }

  public boolean isEmpty() {
    return ring.isEmpty();
  }

  /**
   * Whether there is nothing to take, as far as the calling thread can tell: all else needs the
   * lock of the device, for which one that polls in vain would only contend.
   */
  public boolean looksEmpty() {
    return untaken.getAcquire() == 0;
  }

  /** The completions that have not been polled, oldest first. */
  public List<WorkCompletion> completions() {
    return ring.toList().stream().filter(cqe -> !cqe.isRemoved()).map(Cqe::toRecord).toList();
  }

  /** Whether an announcement was asked for and not made yet. */
  public boolean isArmed() {
    return armed != Armed.NO;
  }

  /** Whether an announcement was asked for, and none is due for the completions that are there. */
  public boolean waitsInVain() {
    return !isEmpty() && isArmed() && counted == 0;
  }

  /** Whether a completion was lost for lack of room; then no more are taken. */
  public boolean isOverrun() {
    return overrun;
  }

  /**
   * Adds a completion, of which the queue keeps a copy; the poll of that of a send frees slots of
   * its send queue.
   *
   * @param solicited whether the sender asked for an event; an error counts as such
   * @return false if it found no room: the first time, the queue has just overrun
   */
  public boolean add(Cqe newCqe, boolean solicited) {
    if (buffer != null && isFull()) {
      reap();
    }
    if (ignoresOverrun && isFull()) {
      loseOldest();
    }
    if (overrun || isFull() || !(ignoresOverrun || moderator.hasRoom())) {
      boolean first = !overrun;
      overrun = true;
      if (first) {
        events.accept(EventType.CQ_ERR);
      }
      return !first;
    }
    Cqe cqe = freeCqes.isEmpty() ? new Cqe() : freeCqes.pollLast();
    cqe.set(newCqe);
    cqe.setNanos(moderator.nowNanos());
    push(cqe);
    if (buffer != null) {
      buffer.produce(cqe);
    }
    countAdded(solicited || !newCqe.isSuccess());
    return true;
  }

  private void push(Cqe cqe) {
    ring.push(cqe);
    untaken.setRelease(ring.size());
  }

  private void recycle(Cqe cqe) {
    if (freeCqes.size() < MAX_FREE) {
      freeCqes.addLast(cqe);
    }
  }

  private boolean isFull() {
    return size() == capacity();
  }

  private void loseOldest() {
    if (unreleased > 0) {
      unreleased--;
    } else {
      recycle(removeOldest());
      lost += buffer == null ? 0 : 1;
    }
  }

  private Cqe removeOldest() {
    Cqe oldestCqe = ring.poll();
    untaken.setRelease(ring.size());
    return oldestCqe;
  }

  /** Takes the oldest completion, or null; that of a send frees slots of its send queue. */
  public @Nullable WorkCompletion poll() {
    if (isEmpty()) {
      return null;
    }
    Cqe oldestCqe = take();
    WorkCompletion completion = oldestCqe.toRecord();
    recycle(oldestCqe);
    return completion;
  }

  private Cqe take() {
    Cqe oldestCqe = removeOldest();
    oldestCqe.freeSlots();
    return oldestCqe;
  }

  /** Takes the oldest completions; returns their number. */
  public <T> int poll(int most, T target, CqeSink<T> sink) {
    int polled = 0;
    while (polled < most && !isEmpty()) {
      Cqe oldestCqe = take();
      sink.take(target, polled, oldestCqe);
      recycle(oldestCqe);
      polled++;
    }
    return polled;
  }

  /**
   * Takes the oldest completion, whose entry stays in use until {@link #release}.
   *
   * @param cqe becomes a copy of it
   * @return whether there was one
   */
  public boolean pollAndKeep(Cqe cqe) {
    if (isEmpty()) {
      return false;
    }
    Cqe oldestCqe = take();
    cqe.set(oldestCqe);
    recycle(oldestCqe);
    unreleased++;
    return true;
  }

  /** Gives back the entries that were taken and kept. */
  public void release() {
    unreleased = 0;
  }

  /** Arms one announcement; asking for any completion overrides asking for solicited ones. */
  public void arm(boolean solicitedOnly) {
    if (armed != Armed.NEXT) {
      armed = solicitedOnly ? Armed.SOLICITED : Armed.NEXT;
    }
  }

  /** Makes no announcement any more, also none that is held back. */
  public void disarm() {
    armed = Armed.NO;
    counted = 0;
    moderator.release(this);
  }

  /**
   * Holds announcements back; what was counted so far counts on.
   *
   * @param count until so many completions are there; 0 for no such rule
   * @param nanos until so long after the first of them; 0 for no such rule
   */
  public void moderate(int count, long nanos) {
    moderationCount = count;
    moderationNanos = nanos;
    moderator.release(this);
    announceOrHold();
  }

  /** Counts a completion that was added, if an announcement was asked for. */
  private void countAdded(boolean isSolicited) {
    if (armed == Armed.NO || (armed == Armed.SOLICITED && !isSolicited)) {
      return;
    }
    if (counted == 0) {
      firstNanos = moderator.nowNanos();
    }
    counted++;
    announceOrHold();
  }

  private void announceOrHold() {
    announceIfDue();
    if (counted > 0 && moderationNanos > 0) {
      moderator.hold(this);
    }
  }

  /** When the announcement is due whatever else is completed. */
  long announcementNanos() {
    return firstNanos + moderationNanos;
  }

  void announceIfDue() {
    if (isAnnouncementDue()) {
      disarm();
      announcedRings.add(this);
    }
  }

  private boolean isAnnouncementDue() {
    if (counted == 0) {
      return false;
    }
    if (moderationCount == 0 && moderationNanos == 0) {
      return true;
    }
    return (moderationCount > 0 && counted >= moderationCount)
        || (moderationNanos > 0 && moderator.nowNanos() - announcementNanos() >= 0);
  }

  /** They take up room until the program has passed them. */
  private void markRemoved(int qpn) {
    for (Cqe cqe : ring.toList()) {
      if (cqe.qpNum() == qpn) {
        cqe.remove();
      }
    }
  }

  /** Removes the completions of one queue pair; those of others keep their order. */
  public void removeCompletionsOf(int qpn) {
    if (buffer != null) {
      buffer.clean(qpn);
      markRemoved(qpn);
      return;
    }
    for (int left = ring.size(); left > 0; left--) {
      Cqe cqe = removeOldest();
      if (cqe.qpNum() == qpn) {
        recycle(cqe);
      } else {
        push(cqe);
      }
    }
  }
}

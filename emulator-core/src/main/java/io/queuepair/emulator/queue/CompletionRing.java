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
 * Entries of one completion queue. Announces events for its completion channel: at most one per
 * arming, under moderation only after a number of completions or a time.
 */
public final class CompletionRing {
  private static final int MAX_FREE = 4096;

  private final Ring<Cqe> ring;

  private final Deque<Cqe> freeCqes = new ArrayDeque<>(2);

  /** Number of entries in the ring, for threads that poll without the lock. */
  private final AtomicInteger untaken = new AtomicInteger();

  private final boolean ignoresOverrun;
  private final CqModerator moderator;

  /** Queue that this ring joins when an event is due. */
  private final Queue<CompletionRing> announcedRings;

  private final Consumer<EventType> events;

  private boolean overrun;
  private boolean isDestroyed;

  /** Buffer where a program polls the entries, or null. */
  private @Nullable CqBuffer buffer;

  /** Entries dropped by an ignored overrun that the program has yet to pass in the buffer. */
  private int lost;

  /** Entries polled but not released, which still take up room. */
  private int unreleased;

  private Armed armed = Armed.NO;

  /** Completions until an event is due; 0 without this rule. */
  private int moderationCount;

  /** Nanoseconds from the first completion until an event is due; 0 without this rule. */
  private long moderationNanos;

  /** Completions since the arming that match it. */
  private int counted;

  /** Time of the first of the {@link #counted} completions. */
  private long firstNanos;

  /** Whether a completion was added since the last event. */
  private boolean isUnannounced;

  /** Entries from the last solicited one on that was added since the last event; 0 without one. */
  private int unannouncedSolicited;

  /** Kinds of completions that the queue is armed for. */
  private enum Armed {
    NO,
    SOLICITED,
    NEXT
  }

  /**
   * Creates an empty queue.
   *
   * @param ignoresOverrun whether a new completion replaces the oldest one when the queue is full
   * @param moderator moderator of the device
   * @param announcedRings queue that this ring joins when an event is due
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

  /** Number of entries in use, including unreleased ones. */
  public int size() {
    return ring.size() + unreleased;
  }

  /** Produces all entries into a buffer from now on, first the present ones. */
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

  /** Removes entries that the program has consumed, and frees their slots of send queues. */
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

  /**
   * Ends the queue and the use of the buffer. Completions of receives in use are lost: an XRC
   * target may have one of a shared receive queue that was destroyed before.
   */
  public void destroy() {
    disarm();
    isDestroyed = true;
    buffer = null;
  }

  /** Changes the capacity, to no less than the entries in use. */
  public void resize(int capacity) {
    ring.resize(capacity);
  }

  public boolean isEmpty() {
    return ring.isEmpty();
  }

  /**
   * Whether the queue is empty, as far as the calling thread can tell without the lock of the
   * device. Keeps threads that poll in vain from contending for the lock.
   */
  public boolean looksEmpty() {
    return untaken.getAcquire() == 0;
  }

  /** The completions that have not been polled, oldest first. */
  public List<WorkCompletion> completions() {
    return ring.toList().stream().filter(cqe -> !cqe.isRemoved()).map(Cqe::toRecord).toList();
  }

  /** Whether an event was requested and not announced yet. */
  public boolean isArmed() {
    return armed != Armed.NO;
  }

  /**
   * Whether the queue holds completions, is armed, and none of them matches the arming: they came
   * before it or are not solicited.
   */
  public boolean waitsInVain() {
    return !isEmpty() && isArmed() && counted == 0;
  }

  /** Whether the queue overran; then it takes no more completions. */
  public boolean isOverrun() {
    return overrun;
  }

  /**
   * Adds a copy of a completion. Polling that of a send frees slots of its send queue.
   *
   * @param solicited whether the sender requested a solicited event; errors count as solicited
   * @return false if this completion makes the queue overrun; true also for those lost later
   */
  public boolean add(Cqe newCqe, boolean solicited) {
    if (isDestroyed) {
      return true;
    }
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

  /** Removes the oldest completion and frees the slots of its send queue; null if there is none. */
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

  /** Polls completions, as many as the array holds; returns their number. */
  public int poll(WorkCompletion[] completions) {
    int polled = 0;
    while (polled < completions.length && !isEmpty()) {
      completions[polled] = poll();
      polled++;
    }
    return polled;
  }

  /**
   * Polls the oldest completion, whose entry takes up room until {@link #release}.
   *
   * @param cqe becomes a copy of the completion
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

  /** Frees the room of all entries polled by {@link #pollAndKeep}. */
  public void release() {
    unreleased = 0;
  }

  /** Arms for one event; arming for any completion overrides arming for solicited ones. */
  public void arm(boolean solicitedOnly) {
    if (armed != Armed.NEXT) {
      armed = solicitedOnly ? Armed.SOLICITED : Armed.NEXT;
    }
  }

  /**
   * Takes what was added since the last event and is not consumed in the buffer as added after the
   * arming, as adapters do, whose doorbell carries the consumer index. Without a buffer nothing is
   * announced: then a program has to poll again after arming.
   */
  public void announceUnpolled() {
    if (buffer == null) {
      return;
    }
    reap();
    boolean isSolicitedMissed = unannouncedSolicited > 0 && unannouncedSolicited <= ring.size();
    boolean isMissed = armed == Armed.NEXT ? isUnannounced && !isEmpty() : isSolicitedMissed;
    if (isMissed) {
      isUnannounced = false;
      unannouncedSolicited = 0;
      countAdded(true);
    }
  }

  /** Cancels the arming, and an event held back by moderation. */
  public void disarm() {
    armed = Armed.NO;
    counted = 0;
    isUnannounced = false;
    unannouncedSolicited = 0;
    moderator.release(this);
  }

  /**
   * Sets the moderation of events; completions counted so far still count.
   *
   * @param count completions until an event; 0 without this rule
   * @param nanos nanoseconds from the first completion until an event; 0 without this rule
   */
  public void moderate(int count, long nanos) {
    moderationCount = count;
    moderationNanos = nanos;
    moderator.release(this);
    announceOrHold();
  }

  /** Counts an added completion if the queue is armed for it. */
  private void countAdded(boolean isSolicited) {
    if (armed == Armed.NO || (armed == Armed.SOLICITED && !isSolicited)) {
      isUnannounced = true;
      if (isSolicited) {
        unannouncedSolicited = 1;
      } else if (unannouncedSolicited > 0) {
        unannouncedSolicited++;
      }
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

  /** Time at which the event is due, whatever the number of completions. */
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

  /** Marks the entries of a queue pair as removed; they take room until the program passes. */
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

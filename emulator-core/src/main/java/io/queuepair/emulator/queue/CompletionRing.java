// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of the completions of one completion queue. {@link CqNotifier} does its
 * notification.
 */
public final class CompletionRing {
  private final Ring<WorkCompletion> entries;

  /** Of each of the entries the send that has completed; null for a receive. */
  private final Ring<@Nullable SendWqe> sends;

  /** How many there are, for those who look without a lock. */
  private final AtomicInteger untaken = new AtomicInteger();

  /** What each of the entries has besides; null if they are not asked for. */
  private final @Nullable Ring<CompletionMetadata> extras;

  private final boolean ignoresOverrun;
  private final CqModerator clock;
  private final CqNotifier notifier;

  /** Where its asynchronous events go. */
  private final Consumer<EventType> events;

  private boolean overrun;

  /** Entries that were taken and still take up room. */
  private int unreleased;

  /** What the completion taken last had besides. */
  private @Nullable CompletionMetadata taken = CompletionMetadata.NONE;

  /** Makes an empty queue without specialities. */
  public CompletionRing(
      int capacity,
      CqModerator clock,
      Queue<CompletionRing> announced,
      Consumer<EventType> events) {
    this(capacity, Options.PLAIN, clock, announced, events);
  }

  /**
   * Makes an empty queue.
   *
   * @param clock that of the device
   * @param announced where this ring goes when an announcement is due
   */
  public CompletionRing(
      int capacity,
      Options options,
      CqModerator clock,
      Queue<CompletionRing> announced,
      Consumer<EventType> events) {
    entries = new Ring<>(capacity);
    sends = new Ring<>(capacity);
    extras = options.isDetailed() ? new Ring<>(capacity) : null;
    ignoresOverrun = options.ignoresOverrun();
    this.clock = clock;
    notifier = new CqNotifier(clock, () -> announced.add(this));
    this.events = events;
  }

  /**
   * What an extended completion queue may have besides.
   *
   * @param isDetailed whether it notes what a plain completion has no field for
   * @param ignoresOverrun whether the oldest completion makes room for a new one
   */
  public record Options(boolean isDetailed, boolean ignoresOverrun) {
    /** Neither. */
    public static final Options PLAIN = new Options(false, false);
  }

  /**
   * What a completion has that has no field in a plain one.
   *
   * @param nanos when it was added
   * @param cvlan the VLAN tag that was removed from its frame, or 0
   */
  public record CompletionMetadata(long nanos, int cvlan) {
    private static final CompletionMetadata NONE = new CompletionMetadata(0, 0);
  }

  public int capacity() {
    return entries.capacity();
  }

  /** Entries in use. */
  public int size() {
    return entries.size() + unreleased;
  }

  /** Changes the capacity, to no less than there is. */
  public void resize(int capacity) {
    entries.resize(capacity);
    sends.resize(capacity);
    if (extras != null) {
      extras.resize(capacity);
    }
  }

  public boolean isEmpty() {
    return entries.isEmpty();
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
    return entries.toList();
  }

  /** Whether an announcement was asked for and not made yet. */
  public boolean isArmed() {
    return notifier.isArmed();
  }

  /** Whether a completion was lost for lack of room; then no more are taken. */
  public boolean isOverrun() {
    return overrun;
  }

  /**
   * Adds the completion of a receive.
   *
   * @param solicited whether the sender asked for an event; an error counts as such
   * @param cvlan the VLAN tag that was removed from its frame, or 0
   * @return false if it found no room: the first time, the queue has just overrun
   */
  public boolean add(WorkCompletion completion, boolean solicited, int cvlan) {
    return add(completion, null, solicited, cvlan);
  }

  /**
   * Adds the completion of a send, whose poll frees slots of its send queue.
   *
   * @return false if it found no room: the first time, the queue has just overrun
   */
  public boolean add(WorkCompletion completion, SendWqe send) {
    return add(completion, send, false, 0);
  }

  private boolean add(
      WorkCompletion completion, @Nullable SendWqe send, boolean solicited, int cvlan) {
    if (ignoresOverrun && isFull()) {
      loseOldest();
    }
    if (overrun || isFull() || !(ignoresOverrun || clock.hasRoom())) {
      boolean first = !overrun;
      overrun = true;
      if (first) {
        events.accept(EventType.CQ_ERR);
      }
      return !first;
    }
    push(completion, send, new CompletionMetadata(clock.nowNanos(), cvlan));
    notifier.added(solicited || !completion.isSuccess());
    return true;
  }

  private void push(
      WorkCompletion completion, @Nullable SendWqe send, @Nullable CompletionMetadata more) {
    entries.push(completion);
    sends.push(send);
    untaken.setRelease(entries.size());
    if (extras != null) {
      extras.push(more);
    }
  }

  private boolean isFull() {
    return size() == capacity();
  }

  private void loseOldest() {
    if (unreleased > 0) {
      unreleased--;
    } else {
      removeOldest();
    }
  }

  private @Nullable WorkCompletion removeOldest() {
    if (extras != null && !extras.isEmpty()) {
      taken = extras.poll();
    }
    sends.poll();
    WorkCompletion oldest = entries.poll();
    untaken.setRelease(entries.size());
    return oldest;
  }

  /** Takes the oldest completion, or null; that of a send frees slots of its send queue. */
  public @Nullable WorkCompletion poll() {
    SendWqe send = sends.peek();
    if (send != null) {
      send.freeSlots();
    }
    return removeOldest();
  }

  /** Takes the oldest completions into an array, as many as it holds; returns their number. */
  public int poll(WorkCompletion[] into) {
    int polled = 0;
    while (polled < into.length && !isEmpty()) {
      into[polled] = poll();
      polled++;
    }
    return polled;
  }

  /** Like {@link #poll()}, but the entry stays in use until {@link #release}. */
  public @Nullable WorkCompletion pollAndKeep() {
    WorkCompletion taken = poll();
    unreleased += taken == null ? 0 : 1;
    return taken;
  }

  /** What the completion taken last had besides; only if the queue notes that. */
  public @Nullable CompletionMetadata taken() {
    return taken;
  }

  /** Gives back the entries that were taken and kept. */
  public void release() {
    unreleased = 0;
  }

  /** Arms one announcement; asking for any completion overrides asking for solicited ones. */
  public void arm(boolean solicitedOnly) {
    notifier.arm(solicitedOnly);
  }

  /** Makes no announcement any more, also none that is held back. */
  public void disarm() {
    notifier.disarm();
  }

  /**
   * Holds announcements back.
   *
   * @param count until so many completions are there; 0 for no such rule
   * @param nanos until so long after the first of them; 0 for no such rule
   */
  public void moderate(int count, long nanos) {
    notifier.moderate(count, nanos);
  }

  /** Removes the completions of one queue pair; those of others keep their order. */
  public void removeCompletionsOf(int qpn) {
    for (int left = entries.size(); left > 0; left--) {
      SendWqe send = sends.peek();
      WorkCompletion completion = removeOldest();
      if (completion.qpNum() != qpn) {
        push(completion, send, taken);
      }
    }
  }
}

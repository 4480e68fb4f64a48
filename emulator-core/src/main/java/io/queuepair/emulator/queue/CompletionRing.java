package io.queuepair.emulator.queue;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WorkCompletion;
import java.util.Queue;
import java.util.function.Consumer;

/** The completions of one completion queue. When they are announced is the announcer's. */
public final class CompletionRing {
  private final Ring<WorkCompletion> entries;
  private final Announcer announcer;

  /** Where its asynchronous events go. */
  private final Consumer<EventType> events;

  private boolean overrun;

  /**
   * Makes an empty queue.
   *
   * @param clock that of the device
   * @param announced where this ring goes when an announcement is due
   */
  public CompletionRing(
      int capacity,
      CompletionClock clock,
      Queue<CompletionRing> announced,
      Consumer<EventType> events) {
    entries = new Ring<>(capacity);
    announcer = new Announcer(clock, () -> announced.add(this));
    this.events = events;
  }

  public int capacity() {
    return entries.capacity();
  }

  public int size() {
    return entries.size();
  }

  /** Changes the capacity, to no less than there is. */
  public void resize(int capacity) {
    entries.resize(capacity);
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Whether a completion was lost for lack of room; then no more are taken. */
  public boolean isOverrun() {
    return overrun;
  }

  /**
   * Adds a completion.
   *
   * @param solicited whether the sender asked for an event; an error counts as such
   * @return false if it found no room: the first time, the queue has just overrun
   */
  public boolean add(WorkCompletion completion, boolean solicited) {
    if (overrun || entries.isFull()) {
      boolean first = !overrun;
      overrun = true;
      if (first) {
        events.accept(EventType.CQ_ERR);
      }
      return !first;
    }
    entries.push(completion);
    announcer.added(solicited || !completion.isSuccess());
    return true;
  }

  /** Takes the oldest completion, or null. */
  public WorkCompletion poll() {
    return entries.poll();
  }

  /** Arms one announcement; asking for any completion overrides asking for solicited ones. */
  public void arm(boolean solicitedOnly) {
    announcer.arm(solicitedOnly);
  }

  /** Makes no announcement any more, also none that is held back. */
  public void disarm() {
    announcer.disarm();
  }

  /**
   * Holds announcements back.
   *
   * @param count until so many completions are there; 0 for no such rule
   * @param nanos until so long after the first of them; 0 for no such rule
   */
  public void moderate(int count, long nanos) {
    announcer.moderate(count, nanos);
  }

  /** Removes the completions of one queue pair; those of others keep their order. */
  public void removeCompletionsOf(int qpn) {
    for (int left = entries.size(); left > 0; left--) {
      WorkCompletion completion = entries.poll();
      if (completion.qpNum() != qpn) {
        entries.push(completion);
      }
    }
  }
}

package io.queuepair.emulator.queue;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WorkCompletion;
import java.util.Queue;
import java.util.function.Consumer;

/** The completions of one completion queue, and whether the next one is to be announced. */
public final class CompletionRing {
  private enum Armed {
    NO,
    SOLICITED,
    NEXT
  }

  private final Ring<WorkCompletion> entries;

  /** Where this ring goes when an announcement is due. */
  private final Queue<CompletionRing> announced;

  /** Where its asynchronous events go. */
  private final Consumer<EventType> events;

  private Armed armed = Armed.NO;
  private boolean overrun;

  public CompletionRing(int capacity, Queue<CompletionRing> announced, Consumer<EventType> events) {
    entries = new Ring<>(capacity);
    this.announced = announced;
    this.events = events;
  }

  public int capacity() {
    return entries.capacity();
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
    boolean counts = solicited || !completion.isSuccess();
    if (armed == Armed.NEXT || (armed == Armed.SOLICITED && counts)) {
      armed = Armed.NO;
      announced.add(this);
    }
    return true;
  }

  /** Takes the oldest completion, or null. */
  public WorkCompletion poll() {
    return entries.poll();
  }

  /** Arms one announcement; asking for any completion overrides asking for solicited ones. */
  public void arm(boolean solicitedOnly) {
    if (armed != Armed.NEXT) {
      armed = solicitedOnly ? Armed.SOLICITED : Armed.NEXT;
    }
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

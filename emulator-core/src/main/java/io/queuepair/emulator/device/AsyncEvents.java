package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Visits;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.EventType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The asynchronous events of one context, in order. Guarded by the driver's lock. */
final class AsyncEvents {
  /** Events kept for an application that does not read them; later ones are lost. */
  private static final int MAX_EVENTS = 1024;

  private final Deque<AsyncEvent> waiting = new ArrayDeque<>();
  private final Visits visits;

  /** Events of an object that are handed out; only looked up, never iterated. */
  private final IdentityHashMap<Object, Taken> unacknowledged = new IdentityHashMap<>();

  /**
   * Without events yet.
   *
   * @param visits is told of each
   */
  AsyncEvents(Visits visits) {
    this.visits = visits;
  }

  /**
   * Events that are handed out and not acknowledged.
   *
   * @param by the thread that took them, or null if several did
   */
  record Taken(int count, Thread by) {
    static final Taken NONE = new Taken(0, null);

    Taken oneMore() {
      Thread now = Thread.currentThread();
      return new Taken(count + 1, count == 0 || now.equals(by) ? now : null);
    }

    Taken less(int acknowledged) {
      return new Taken(count - acknowledged, by);
    }

    /** Whether nobody but the calling thread can be about to acknowledge them. */
    boolean isCallers() {
      return Thread.currentThread().equals(by);
    }
  }

  void raise(AsyncEvent event) {
    visits.raised(event.eventType());
    if (waiting.size() < MAX_EVENTS) {
      waiting.addLast(event);
    }
  }

  /** Takes the oldest, or null. */
  AsyncEvent take() {
    AsyncEvent event = waiting.pollFirst();
    if (event != null && elementOf(event) != null) {
      unacknowledged.put(elementOf(event), takenOf(elementOf(event)).oneMore());
    }
    return event;
  }

  void acknowledge(AsyncEvent event) {
    Object element = elementOf(event);
    if (element != null) {
      unacknowledged.computeIfPresent(
          element, (key, taken) -> taken.count() == 1 ? null : taken.less(1));
    }
  }

  /** What is handed out of an object and not acknowledged. */
  Taken takenOf(Object element) {
    return unacknowledged.getOrDefault(element, Taken.NONE);
  }

  /** Events of a destroyed object vanish. */
  void forget(Object element) {
    waiting.removeIf(event -> elementOf(event) == element);
    unacknowledged.remove(element);
  }

  private static Object elementOf(AsyncEvent event) {
    if (event.qp() != null) {
      return event.qp();
    }
    return event.cq() != null ? event.cq() : event.srq();
  }

  /** Where the events of one object go; they wait for it to be known to the application. */
  final class Source implements Consumer<EventType> {
    private List<EventType> early = List.of();
    private Function<EventType, AsyncEvent> about;

    void setAbout(Function<EventType, AsyncEvent> newAbout) {
      about = newAbout;
      early.forEach(this);
      early = List.of();
    }

    @Override
    public void accept(EventType type) {
      if (about == null) {
        early = new ArrayList<>(early);
        early.add(type);
      } else {
        raise(about.apply(type));
      }
    }
  }
}

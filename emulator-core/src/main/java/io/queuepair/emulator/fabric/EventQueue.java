package io.queuepair.emulator.fabric;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Events by deadline, then insertion. Arrivals mostly come in that order, as each packet travels
 * equally long: they stand in a line. What does not, and timers, which move, are in a heap.
 */
final class EventQueue {
  private final Deque<Event> line = new ArrayDeque<>();
  private final EventHeap heap = new EventHeap();
  private long nextSequence;

  /** The next event, or null. */
  Event peek() {
    Event standing = line.peekFirst();
    Event first = heap.peek();
    return first == null || (standing != null && standing.isBefore(first)) ? standing : first;
  }

  /** Removes the next event, which is what {@link #peek} has just returned. */
  void removeNext(Event next) {
    if (next.index == Event.NOT_QUEUED) {
      line.removeFirst();
    } else {
      heap.remove(next);
    }
  }

  /** Puts an event that will not move behind those of its time that are already there. */
  void add(Event event, long deadlineNanos) {
    mark(event, deadlineNanos);
    Event last = line.peekLast();
    if (last == null || deadlineNanos - last.deadlineNanos >= 0) {
      line.addLast(event);
    } else {
      heap.put(event);
    }
  }

  /** Puts a timer behind what is already there at its time, wherever it was before. */
  void move(TimerEvent timer, long deadlineNanos) {
    heap.remove(timer);
    mark(timer, deadlineNanos);
    heap.put(timer);
  }

  /** Takes a timer out, if it is inside. */
  void remove(TimerEvent timer) {
    heap.remove(timer);
  }

  void clear() {
    line.clear();
    heap.clear();
  }

  private void mark(Event event, long deadlineNanos) {
    event.deadlineNanos = deadlineNanos;
    event.sequence = nextSequence++;
  }
}

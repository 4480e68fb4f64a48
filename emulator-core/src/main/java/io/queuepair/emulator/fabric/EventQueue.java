// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Events ordered by deadline, then by insertion. Arrivals mostly come in order, as each packet has
 * the same latency: they are in a queue. Other events, and timers, are in a heap.
 */
final class EventQueue {
  private final Deque<Event> events = new ArrayDeque<>();
  private final EventHeap heap = new EventHeap();
  private long nextSequence;

  @Nullable Event peek() {
    Event event = events.peekFirst();
    Event first = heap.peek();
    return first == null || (event != null && event.isBefore(first)) ? event : first;
  }

  /** Removes {@code next}, the event that {@link #peek} has just returned. */
  void removeNext(Event next) {
    if (next.index == Event.NOT_QUEUED) {
      events.removeFirst();
    } else {
      heap.remove(next);
    }
  }

  /** Inserts an event whose deadline will not change, after those with the same deadline. */
  void add(Event event, long deadlineNanos) {
    mark(event, deadlineNanos);
    Event last = events.peekLast();
    if (last == null || deadlineNanos - last.deadlineNanos >= 0) {
      events.addLast(event);
    } else {
      heap.put(event);
    }
  }

  /** Inserts or moves a timer, after events with the same deadline. */
  void move(TimerEvent timer, long deadlineNanos) {
    heap.remove(timer);
    mark(timer, deadlineNanos);
    heap.put(timer);
  }

  void remove(TimerEvent timer) {
    heap.remove(timer);
  }

  void clear() {
    events.clear();
    heap.clear();
  }

  private void mark(Event event, long deadlineNanos) {
    event.deadlineNanos = deadlineNanos;
    event.sequence = nextSequence++;
  }

  /** Heap of events by deadline, then by insertion; a timer that is armed again moves in it. */
  private static final class EventHeap {
    private Event[] events = new Event[64];
    private int size;

    @Nullable Event peek() {
      return events[0];
    }

    /** Inserts an event that is not in the heap, by its deadline and sequence number. */
    void put(Event event) {
      if (size == events.length) {
        events = Arrays.copyOf(events, 2 * size);
      }
      siftUp(event, size++);
    }

    void remove(Event event) {
      int hole = event.index;
      if (hole == Event.NOT_QUEUED) {
        return;
      }
      event.index = Event.NOT_QUEUED;
      Event last = events[--size];
      events[size] = null;
      if (last == event) {
        return;
      }
      if (last.isBefore(event)) {
        siftUp(last, hole);
      } else {
        siftDown(last, hole);
      }
    }

    void clear() {
      for (int i = 0; i < size; i++) {
        events[i].index = Event.NOT_QUEUED;
      }
      Arrays.fill(events, 0, size, null);
      size = 0;
    }

    private void siftUp(Event event, int from) {
      int hole = from;
      while (hole > 0) {
        int parent = (hole - 1) >>> 1;
        if (!event.isBefore(events[parent])) {
          break;
        }
        place(events[parent], hole);
        hole = parent;
      }
      place(event, hole);
    }

    private void siftDown(Event event, int from) {
      int hole = from;
      for (int child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
        int right = child + 1;
        int first = right < size && events[right].isBefore(events[child]) ? right : child;
        if (!events[first].isBefore(event)) {
          break;
        }
        place(events[first], hole);
        hole = first;
      }
      place(event, hole);
    }

    private void place(Event event, int at) {
      events[at] = event;
      event.index = at;
    }
  }
}

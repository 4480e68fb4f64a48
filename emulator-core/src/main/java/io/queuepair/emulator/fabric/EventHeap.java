package io.queuepair.emulator.fabric;

import java.util.Arrays;

/**
 * Events by deadline, then insertion: a binary heap in which each event knows its place, so that a
 * timer that is armed again moves instead of leaving a dead entry behind.
 */
final class EventHeap {
  private Event[] events = new Event[64];
  private int size;

  /** The next event, or null. */
  Event peek() {
    return events[0];
  }

  /** Puts an event that is not inside where its deadline and sequence say. */
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

package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventHeapTest {
  private final EventHeap heap = new EventHeap();

  @Test
  void earliestDeadlineIsFirst() {
    Marker late = new Marker();
    Marker early = new Marker();

    heap.put(late, 20);
    heap.put(early, 10);

    assertThat(drain()).containsExactly(early, late);
  }

  @Test
  void equalDeadlinesKeepTheOrderOfInsertion() {
    List<Event> events = markers(100);

    events.forEach(event -> heap.put(event, 7));

    assertThat(drain()).isEqualTo(events);
  }

  @Test
  void movedEventIsBehindThoseOfItsNewDeadline() {
    Marker moved = new Marker();
    Marker other = new Marker();
    heap.put(moved, 7);
    heap.put(other, 7);

    heap.put(moved, 7);

    assertThat(drain()).containsExactly(other, moved);
  }

  @Test
  void movedEventLeavesNothingBehind() {
    Marker event = new Marker();

    for (int deadline = 0; deadline < 1_000; deadline++) {
      heap.put(event, deadline);
    }

    assertThat(heap.size()).isEqualTo(1);
  }

  @Test
  void deadlinesAreComparedAcrossTheWrap() {
    Marker before = new Marker();
    Marker after = new Marker();

    heap.put(after, Long.MIN_VALUE + 5);
    heap.put(before, Long.MAX_VALUE - 5);

    assertThat(drain()).containsExactly(before, after);
  }

  @Test
  void removingWhatIsNotInsideDoesNothing() {
    Marker inside = new Marker();
    heap.put(inside, 1);

    heap.remove(new Marker());

    assertThat(drain()).containsExactly(inside);
  }

  @Test
  void agreesWithASortedListAfterManyChanges() {
    Random random = new Random(7);
    List<Event> events = markers(200);
    for (int i = 0; i < 5_000; i++) {
      Event event = events.get(random.nextInt(events.size()));
      if (random.nextInt(4) == 0) {
        heap.remove(event);
      } else {
        heap.put(event, random.nextInt(50));
      }
    }
    List<Event> expected =
        events.stream()
            .filter(event -> event.index != Event.NOT_QUEUED)
            .sorted(
                Comparator.comparingLong((Event event) -> event.deadlineNanos)
                    .thenComparingLong(event -> event.sequence))
            .toList();

    assertThat(drain()).isEqualTo(expected);
  }

  private List<Event> drain() {
    List<Event> order = new ArrayList<>();
    for (Event event = heap.peek(); event != null; event = heap.peek()) {
      heap.remove(event);
      order.add(event);
    }
    return order;
  }

  private static List<Event> markers(int count) {
    List<Event> markers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      markers.add(new Marker());
    }
    return markers;
  }

  private static final class Marker extends Event {
    @Override
    void run() {}
  }
}

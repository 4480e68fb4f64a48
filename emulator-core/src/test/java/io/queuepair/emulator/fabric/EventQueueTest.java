package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventQueueTest {
  private final EventQueue queue = new EventQueue();

  @Test
  void earliestDeadlineIsFirst() {
    Marker late = new Marker();
    Marker early = new Marker();

    queue.move(late, 20);
    queue.move(early, 10);

    assertThat(drain()).containsExactly(early, late);
  }

  @Test
  void equalDeadlinesKeepTheOrderOfInsertion() {
    List<Event> events = markers(100);

    events.forEach(event -> queue.move(event, 7));

    assertThat(drain()).isEqualTo(events);
  }

  @Test
  void movedEventIsBehindThoseOfItsNewDeadline() {
    Marker moved = new Marker();
    Marker other = new Marker();
    queue.move(moved, 7);
    queue.move(other, 7);

    queue.move(moved, 7);

    assertThat(drain()).containsExactly(other, moved);
  }

  @Test
  void movedEventLeavesNothingBehind() {
    Marker event = new Marker();

    for (int deadline = 0; deadline < 1_000; deadline++) {
      queue.move(event, deadline);
    }

    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void deadlinesAreComparedAcrossTheWrap() {
    Marker before = new Marker();
    Marker after = new Marker();

    queue.move(after, Long.MIN_VALUE + 5);
    queue.move(before, Long.MAX_VALUE - 5);

    assertThat(drain()).containsExactly(before, after);
  }

  @Test
  void removingWhatIsNotInsideDoesNothing() {
    Marker inside = new Marker();
    queue.move(inside, 1);

    queue.remove(new Marker());

    assertThat(drain()).containsExactly(inside);
  }

  @Test
  void arrivalsAndTimersOfOneTimeKeepTheOrderOfInsertion() {
    List<Event> events = markers(100);

    for (int i = 0; i < events.size(); i++) {
      if (i % 3 == 0) {
        queue.move(events.get(i), 7);
      } else {
        queue.add(events.get(i), 7);
      }
    }

    assertThat(drain()).isEqualTo(events);
  }

  @Test
  void arrivalsOutOfOrderAreSorted() {
    List<Event> events = markers(200);
    Random random = new Random(7);
    events.forEach(event -> queue.add(event, random.nextInt(50)));

    assertThat(drain()).isEqualTo(sorted(events));
  }

  @Test
  void nothingIsLeftOnceCleared() {
    queue.add(new Marker(), 1);
    queue.move(new Marker(), 2);

    queue.clear();

    assertThat(queue.size()).isZero();
    assertThat(queue.peek()).isNull();
  }

  @Test
  void agreesWithASortedListAfterManyChanges() {
    Random random = new Random(7);
    List<Event> events = markers(200);
    for (int i = 0; i < 5_000; i++) {
      Event event = events.get(random.nextInt(events.size()));
      if (random.nextInt(4) == 0) {
        queue.remove(event);
      } else {
        queue.move(event, random.nextInt(50));
      }
    }
    List<Event> expected =
        sorted(events.stream().filter(event -> event.index != Event.NOT_QUEUED).toList());

    assertThat(drain()).isEqualTo(expected);
  }

  private List<Event> drain() {
    List<Event> order = new ArrayList<>();
    for (Event event = queue.peek(); event != null; event = queue.peek()) {
      queue.removeNext(event);
      order.add(event);
    }
    return order;
  }

  private static List<Event> sorted(List<Event> events) {
    return events.stream()
        .sorted(
            Comparator.comparingLong((Event event) -> event.deadlineNanos)
                .thenComparingLong(event -> event.sequence))
        .toList();
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

// SPDX-License-Identifier: Apache-2.0
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
  void movedEventIsBehindThoseOfItsNewDeadline() {
    TimerEvent moved = marker();
    TimerEvent other = marker();
    queue.move(moved, 7);
    queue.move(other, 7);

    queue.move(moved, 7);

    assertThat(drain()).containsExactly(other, moved);
  }

  @Test
  void deadlinesAreComparedAcrossTheWrap() {
    TimerEvent before = marker();
    TimerEvent after = marker();

    queue.move(after, Long.MIN_VALUE + 5);
    queue.move(before, Long.MAX_VALUE - 5);

    assertThat(drain()).containsExactly(before, after);
  }

  @Test
  void arrivalsAndTimersOfOneTimeKeepTheOrderOfInsertion() {
    List<TimerEvent> events = markers(100);

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
    List<TimerEvent> events = markers(200);
    Random random = new Random(7);
    events.forEach(event -> queue.add(event, random.nextInt(50)));

    assertThat(drain()).isEqualTo(sorted(events));
  }

  @Test
  void nothingIsLeftOnceCleared() {
    queue.add(marker(), 1);
    queue.move(marker(), 2);

    queue.clear();

    assertThat(queue.peek()).isNull();
  }

  @Test
  void agreesWithASortedListAfterManyChanges() {
    Random random = new Random(7);
    List<TimerEvent> events = markers(200);
    for (int i = 0; i < 5_000; i++) {
      TimerEvent event = events.get(random.nextInt(events.size()));
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

  private static List<Event> sorted(List<TimerEvent> events) {
    return events.stream()
        .sorted(
            Comparator.comparingLong((TimerEvent event) -> event.deadlineNanos)
                .thenComparingLong(event -> event.sequence))
        .map(event -> (Event) event)
        .toList();
  }

  private static List<TimerEvent> markers(int count) {
    List<TimerEvent> markers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      markers.add(marker());
    }
    return markers;
  }

  private static TimerEvent marker() {
    return new TimerEvent(null, () -> {});
  }
}

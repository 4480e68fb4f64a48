// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring against a queue of the JDK. */
final class RingTest {
  @Property(tries = 300, seed = "1")
  void behavesLikeABoundedQueue(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int capacity) {
    Random random = new Random(seed);
    Ring<Integer> ring = new Ring<>(capacity);
    Deque<Integer> model = new ArrayDeque<>();
    long taken = 0;
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(5) < 3) {
        if (!ring.isFull()) {
          ring.push(step);
          model.addLast(step);
        }
      } else if (!model.isEmpty()) {
        assertThat(ring.poll()).isEqualTo(model.pollFirst());
        taken++;
      }
      assertThat(ring.size()).isEqualTo(model.size());
      assertThat(ring.isFull()).isEqualTo(model.size() == capacity);
      assertThat(ring.peek()).isEqualTo(model.peekFirst());
      assertThat(ring.head()).isEqualTo(taken);
      assertThat(ring.tail()).isEqualTo(taken + model.size());
    }
  }

  @Property(tries = 100, seed = "2")
  void findsEntriesByNumber(@ForAll @IntRange(min = 1, max = 40) int capacity) {
    Ring<Long> ring = new Ring<>(capacity);
    for (long number = 0; number < 100; number++) {
      if (ring.isFull()) {
        ring.poll();
      }
      ring.push(number);
    }

    for (long number = ring.head(); number < ring.tail(); number++) {
      assertThat(ring.get(number)).isEqualTo(number);
    }
  }

  @Test
  void tellsItsRoomWhenThatGrows() {
    List<Integer> room = new ArrayList<>();
    Ring<String> ring = new Ring<>(3);
    ring.push("a");
    ring.push("b");

    ring.tellRoomTo(room::add);
    ring.push("c");
    ring.pollAndHold();
    assertThat(room).containsExactly(1);
    ring.poll();
    ring.release();
    ring.resize(5);
    ring.clear();
    ring.tellRoomTo(null);
    ring.resize(6);

    assertThat(room).containsExactly(1, 1, 2, 4, 5, 0);
  }

  @Test
  void isFullAtOnceWithoutCapacity() {
    Ring<Integer> ring = new Ring<>(0);

    assertThat(ring.isFull()).isTrue();
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.poll()).isNull();
  }

  @Test
  void isEmptyAfterClear() {
    Ring<Integer> ring = new Ring<>(3);
    ring.push(1);
    ring.push(2);

    ring.clear();

    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.peek()).isNull();
    ring.push(3);
    assertThat(ring.poll()).isEqualTo(3);
  }

  // Slots as with wq->tail of rdma-core, also where the numbers of sends wrap around.

  @ParameterizedTest
  @ValueSource(ints = {0, Integer.MAX_VALUE - 1, -2})
  void aPollFreesTheSlotsOfAllSendsUpToItsOwn(int before) {
    SendSlots slots = new SendSlots(before);
    int first = slots.take(false);
    int second = slots.take(true);
    int third = slots.take(false);
    assertThat(slots.inUse()).isEqualTo(3);
    assertThat(slots.canBePolled()).isTrue();

    slots.freeThrough(second);
    assertThat(slots.inUse()).isEqualTo(1);
    assertThat(slots.canBePolled()).isFalse();

    slots.freeThrough(first);
    assertThat(slots.inUse()).isEqualTo(1);

    slots.willReport(third);
    assertThat(slots.canBePolled()).isTrue();
    slots.freeThrough(third);
    assertThat(slots.inUse()).isZero();
    assertThat(slots.canBePolled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Integer.MAX_VALUE - 1, -2})
  void completionsFromBeforeAResetFreeNothingLater(int before) {
    SendSlots slots = new SendSlots(before);
    int old = slots.take(true);
    slots.freeAll();
    assertThat(slots.inUse()).isZero();

    slots.take(false);
    slots.freeThrough(old);
    slots.willReport(old);
    assertThat(slots.inUse()).isEqualTo(1);
    assertThat(slots.canBePolled()).isFalse();
  }

  // Memory for inline data that one send after the other uses.

  private final SendRequest request = new SendRequest();

  @Test
  void aSendOfTheSameLengthTakesNothingNew() {
    Payload first = request.reserveInline(16);

    assertThat(first.length()).isEqualTo(16);
    assertThat(request.reserveInline(16)).isSameAs(first);
  }

  @Test
  void aShorterSendUsesTheSameMemory() {
    Payload longer = request.reserveInline(16);
    Payload shorter = request.reserveInline(8);

    assertThat(shorter.length()).isEqualTo(8);
    assertThat(shorter.buffer()).isSameAs(longer.buffer());
    assertThat(request.reserveInline(16).length()).isEqualTo(16);
  }

  @Test
  void muchMemoryIsNotKept() {
    Payload kept = request.reserveInline(16);

    assertThat(request.reserveInline(1 << 20).length()).isEqualTo(1 << 20);
    assertThat(request.reserveInline(16)).isSameAs(kept);
  }

  @Test
  void noBytesNeedNoMemory() {
    assertThat(request.reserveInline(0).isEmpty()).isTrue();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots as with {@code wq->tail} of rdma-core, also where the numbers of sends wrap around. */
final class SendSlotsTest {
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
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LoopTimersTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<String> woken = new ArrayList<>();
  private final Deque<Runnable> arrivals = new ArrayDeque<>();
  private final LoopTimers timers = new LoopTimers(this::look);
  private final long now = System.nanoTime();

  private LoopTimers.Timed timer(String name) {
    return new LoopTimers.Timed() {
      @Override
      void wakeUp() {
        woken.add(name);
      }
    };
  }

  private boolean look() {
    woken.add("look");
    Runnable arrival = arrivals.poll();
    if (arrival != null) {
      arrival.run();
    }
    return arrival != null;
  }

  /** As an acknowledgement moves the timer of a queue pair. */
  @Test
  void handlesWhatHasArrivedBeforeATimerThatIsLate() {
    LoopTimers.Timed moved = timer("moved");
    timers.plan(moved, now - LATE_NANOS);
    timers.plan(timer("due"), now - LATE_NANOS + 1);
    arrivals.add(() -> {});
    arrivals.add(() -> timers.plan(moved, now + HOUR_NANOS));

    assertThat(timers.wakeDue()).isEqualTo(1);

    assertThat(woken).containsExactly("look", "look", "look", "due");
  }

  @Test
  void wakesALateTimerThoughMoreArrivesAtEachLook() {
    timers.plan(timer("late"), now - LATE_NANOS);
    arrivals.addAll(Collections.nCopies(2 * LoopTimers.MAX_LOOKS, () -> {}));

    assertThat(timers.wakeDue()).isEqualTo(1);

    assertThat(woken).hasSize(LoopTimers.MAX_LOOKS + 1).endsWith("look", "late");
  }

  @Test
  void wakesWhatIsDueEarliestFirst() {
    timers.plan(timer("third"), now - 1);
    timers.plan(timer("first"), now - 3);
    timers.plan(timer("later"), now + HOUR_NANOS);
    timers.plan(timer("second"), now - 2);

    assertThat(timers.wakeDue()).isEqualTo(3);

    assertThat(woken).endsWith("first", "second", "third");
    assertThat(timers.wakeDue()).isZero();
  }

  @Test
  void anErrorOfOneEndsNoOther() {
    timers.plan(
        new LoopTimers.Timed() {
          @Override
          void wakeUp() {
            throw new StackOverflowError();
          }
        },
        now - 2);
    timers.plan(timer("other"), now - 1);

    assertThat(timers.wakeDue()).isEqualTo(2);
    assertThat(woken).endsWith("other");
  }

  @Test
  void aNewPlanReplacesTheOldOne() {
    LoopTimers.Timed moved = timer("moved");
    timers.plan(moved, now - 1);
    timers.plan(moved, now + HOUR_NANOS);

    assertThat(timers.wakeDue()).isZero();
    timers.plan(moved, now - 2);

    assertThat(timers.wakeDue()).isEqualTo(1);
    assertThat(woken).endsWith("moved");
  }

  @Test
  void tellsWhichComesFirst() {
    assertThat(timers.earliestNanos(now + 2)).isEqualTo(now + 2);

    timers.plan(timer("next"), now + 5);
    timers.plan(timer("last"), now + 9);

    assertThat(timers.earliestNanos(now + 2)).isEqualTo(now + 2);
    assertThat(timers.earliestNanos(now + 7)).isEqualTo(now + 5);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.Scheduler.Timer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VirtualSchedulerTest {
  private final VirtualScheduler scheduler = new VirtualScheduler(true, Long.MAX_VALUE);
  private final List<String> fired = new ArrayList<>();

  @Test
  void runsByDeadlineThenInsertion() {
    timer("c").arm(30);
    timer("a").arm(10);
    timer("b").arm(20);
    timer("second a").arm(10);

    assertThat(scheduler.nowNanos()).isZero();
    assertThat(scheduler.runNext()).isTrue();
    assertThat(fired).containsExactly("a@10");
    drain();

    assertThat(fired).containsExactly("a@10", "second a@10", "b@20", "c@30");
  }

  @Test
  void hasNothingToRunWhenIdle() {
    timer("a").arm(10);
    drain();

    assertThat(scheduler.runNext()).isFalse();
    assertThat(scheduler.nowNanos()).isEqualTo(10);
  }

  @Test
  void armedAgainTimerFiresOnceAtItsLastDeadline() {
    Timer timer = timer("a");
    timer.arm(10);
    timer.arm(40);
    timer.arm(25);

    drain();

    assertThat(fired).containsExactly("a@25");
  }

  @Test
  void disarmedTimerDoesNotFire() {
    Timer timer = timer("a");
    timer.arm(10);

    timer.disarm();

    assertThat(scheduler.runNext()).isFalse();
  }

  @Test
  void timerMayArmItselfFromItsTask() {
    Timer[] timer = new Timer[1];
    timer[0] =
        scheduler.timer(
            () -> {
              fired.add("tick@" + scheduler.nowNanos());
              timer[0].arm(scheduler.nowNanos() + 5);
            });
    timer[0].arm(5);

    scheduler.runNext();
    scheduler.runNext();
    scheduler.runNext();

    assertThat(fired).containsExactly("tick@5", "tick@10", "tick@15");
  }

  @Test
  void deadlineInThePastFiresNowAndTimeStays() {
    timer("a").arm(100);
    drain();

    timer("late").arm(3);
    drain();

    assertThat(fired).containsExactly("a@100", "late@100");
  }

  @Test
  void timeStopsAtTheEndOfAWait() {
    timer("a").arm(10);
    timer("b").arm(30);

    assertThat(scheduler.runNextUntil(20)).isTrue();
    assertThat(scheduler.runNextUntil(20)).isTrue();

    assertThat(fired).containsExactly("a@10");
    assertThat(scheduler.nowNanos()).isEqualTo(20);
  }

  @Test
  void whatIsDueAtTheEndOfAWaitStillRuns() {
    timer("a").arm(20);

    scheduler.runNextUntil(20);

    assertThat(fired).containsExactly("a@20");
  }

  @Test
  void aWaitThatIsOverDoesNotTurnTimeBack() {
    timer("a").arm(30);
    drain();

    assertThat(scheduler.runNextUntil(20)).isTrue();

    assertThat(scheduler.nowNanos()).isEqualTo(30);
  }

  @Test
  void goesOnBehindAnEventThatThrew() {
    scheduler
        .timer(
            () -> {
              throw new IllegalStateException("broken");
            })
        .arm(10);
    timer("next").arm(20);

    assertThatThrownBy(scheduler::runNext).hasMessage("broken");
    drain();

    assertThat(fired).containsExactly("next@20");
  }

  @Test
  void closedSchedulerRunsNothing() {
    Timer timer = timer("a");
    timer.arm(10);

    scheduler.close();
    timer.arm(20);

    assertThat(scheduler.runNext()).isFalse();
  }

  private Timer timer(String name) {
    return scheduler.timer(() -> fired.add(name + "@" + scheduler.nowNanos()));
  }

  private void drain() {
    while (scheduler.runNext()) {
      assertThat(fired).hasSizeLessThan(100_000);
    }
  }
}

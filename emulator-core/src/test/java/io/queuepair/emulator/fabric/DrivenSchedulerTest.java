// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class DrivenSchedulerTest {
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final DrivenScheduler scheduler = new DrivenScheduler(wakeUps::incrementAndGet);
  private final List<Integer> run = new ArrayList<>();

  private void at(long nanos, int number) {
    scheduler.timer(() -> run.add(number)).arm(nanos);
  }

  @Test
  void runsWhatIsDueInOrderAndNoMoreThanAsked() {
    long now = scheduler.nowNanos();
    at(now - 1, 3);
    at(now - 3, 1);
    at(now - 2, 2);

    assertThat(scheduler.runDue(2)).isEqualTo(2);
    assertThat(run).containsExactly(1, 2);
    assertThat(scheduler.runDue(2)).isEqualTo(1);
    assertThat(scheduler.runDue(2)).isZero();
  }

  @Test
  void tellsWhenTheNextEventIs() {
    assertThat(scheduler.nanosToNext()).isEqualTo(Long.MAX_VALUE);
    at(scheduler.nowNanos() + 1_000_000_000_000L, 1);

    assertThat(scheduler.nanosToNext()).isBetween(1L, 1_000_000_000_000L);
    assertThat(scheduler.runDue(1)).isZero();
    at(scheduler.nowNanos(), 2);
    assertThat(scheduler.nanosToNext()).isNotPositive();
  }

  @Test
  void onlyOtherThreadsWakeItsOwner() throws InterruptedException {
    scheduler.runDue(1);
    at(scheduler.nowNanos(), 1);
    assertThat(wakeUps).hasValue(0);

    Thread other = new Thread(() -> at(scheduler.nowNanos() - 1_000_000_000L, 2));
    other.start();
    other.join();
    assertThat(wakeUps).hasValue(1);
    Thread later = new Thread(() -> at(scheduler.nowNanos() + 1_000_000_000L, 3));
    later.start();
    later.join();
    assertThat(wakeUps).hasValue(1);
  }

  @Test
  void anEventThatFailsStopsNoOther() {
    scheduler
        .timer(
            () -> {
              throw new IllegalStateException("this failure belongs to the test");
            })
        .arm(scheduler.nowNanos() - 2);
    at(scheduler.nowNanos() - 1, 1);

    assertThat(scheduler.runDue(8)).isEqualTo(2);
    assertThat(run).containsExactly(1);
  }

  @Test
  void nothingRunsAfterItWasClosed() {
    at(scheduler.nowNanos(), 1);
    scheduler.close();

    assertThat(scheduler.runDue(8)).isZero();
    assertThat(run).isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Scheduler;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timers on the event loop. Only lower bounds of time are checked: the machine may be busy. */
final class LoopSchedulerTest {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final LinkedBlockingQueue<String> fired = new LinkedBlockingQueue<>();

  @ParameterizedTest
  @EnumSource
  void firesOnceInOrderOfTheLatestDeadlinesUnlessDisarmed(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Scheduler scheduler = fabric.scheduler();
      long now = scheduler.nowNanos();
      Scheduler.Timer moved = scheduler.timer(() -> fired.add("third"));
      Scheduler.Timer disarmed = scheduler.timer(() -> fired.add("disarmed"));

      onLoop(
          scheduler,
          () -> {
            long start = scheduler.nowNanos();
            disarmed.arm(start + STEP_NANOS);
            disarmed.disarm();
            moved.arm(start + STEP_NANOS);
            moved.arm(start + 2 * STEP_NANOS);
            moved.arm(start + 4 * STEP_NANOS);
            scheduler.timer(() -> fired.add("second")).arm(start + 3 * STEP_NANOS);
            scheduler.timer(() -> fired.add("first")).arm(start + 2 * STEP_NANOS);
            scheduler.timer(() -> fired.add("end")).arm(start + 8 * STEP_NANOS);
          });

      assertThat(List.of(next(), next(), next())).containsExactly("first", "second", "third");
      assertThat(scheduler.nowNanos() - now).isGreaterThanOrEqualTo(4 * STEP_NANOS);
      assertThat(next()).isEqualTo("end");
    }
  }

  @ParameterizedTest
  @EnumSource
  void firesEarlierWhenArmedEarlier(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Scheduler scheduler = fabric.scheduler();
      long now = scheduler.nowNanos();
      Scheduler.Timer timer = scheduler.timer(() -> fired.add("early"));

      timer.arm(now + TimeUnit.HOURS.toNanos(1));
      timer.arm(now - 1);

      assertThat(next()).isEqualTo("early");
      timer.arm(now + TimeUnit.HOURS.toNanos(1));
      timer.disarm();
      timer.arm(now + STEP_NANOS);
      assertThat(next()).as("armed after it was disarmed").isEqualTo("early");
    }
  }

  @ParameterizedTest
  @EnumSource
  void armsItselfAgain(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Scheduler scheduler = fabric.scheduler();
      var timer = new Scheduler.Timer[1];
      timer[0] =
          scheduler.timer(
              () -> {
                fired.add("again");
                timer[0].arm(scheduler.nowNanos());
              });

      timer[0].arm(scheduler.nowNanos());

      assertThat(next()).isEqualTo("again");
      assertThat(next()).isEqualTo("again");
      assertThat(next()).isEqualTo("again");
    }
  }

  /** Arms where nothing can fire in between, however busy the machine is. */
  private static void onLoop(Scheduler scheduler, Runnable arming) {
    scheduler.timer(arming).arm(scheduler.nowNanos());
  }

  private String next() {
    return RecordingStation.await(fired, "a timer");
  }
}

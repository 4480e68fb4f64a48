// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.EngineFixture;
import io.queuepair.emulator.engine.Gsi;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The timer follows the deadlines of the engine until it is stopped. */
final class DeviceTimerTest {
  private static final int HELD_BACK_NANOS = 7_000;

  private final Engine engine = EngineFixture.engine(new Gsi(1, EngineFixture.NO_ADDRESSES));
  private final CompletionRing ring =
      new CompletionRing(4, false, engine.moderator(), new ArrayDeque<>(), event -> {});
  private final List<String> calls = new ArrayList<>();
  private final DeviceTimer timer = new DeviceTimer(new RecordingTimer());

  private final Cqe received = new Cqe().begin(1, WcStatus.SUCCESS, WcOpcode.RECV, 0x11);

  private final class RecordingTimer implements Scheduler.Timer {
    @Override
    public void arm(long deadlineNanos) {
      calls.add("arm " + deadlineNanos);
    }

    @Override
    public void disarm() {
      calls.add("disarm");
    }
  }

  /** The announcement of a completion is held back, so the engine has a deadline. */
  private void holdBack() {
    engine.moderator().advance(1_000);
    ring.moderate(0, HELD_BACK_NANOS);
    ring.arm(false);
    ring.add(received, false);
    assertThat(engine.nextDeadlineNanos()).isEqualTo(1_000 + HELD_BACK_NANOS);
  }

  @Test
  void isArmedOnceForADeadlineAndDisarmedWithoutOne() {
    timer.reschedule(engine);
    holdBack();
    timer.reschedule(engine);
    timer.reschedule(engine);
    ring.disarm();
    timer.reschedule(engine);
    timer.reschedule(engine);

    assertThat(calls).containsExactly("arm 8000", "disarm");
  }

  @Test
  void isArmedAgainAfterItHasFired() {
    holdBack();
    timer.reschedule(engine);
    timer.fired();
    timer.reschedule(engine);

    assertThat(calls).containsExactly("arm 8000", "arm 8000");
  }

  @Test
  void isNotArmedAfterItWasStopped() {
    holdBack();
    timer.reschedule(engine);
    timer.stop();
    timer.fired(); // It was under way already.
    timer.reschedule(engine);

    assertThat(engine.hasDeadline()).isTrue();
    assertThat(calls).containsExactly("arm 8000", "disarm");
  }
}

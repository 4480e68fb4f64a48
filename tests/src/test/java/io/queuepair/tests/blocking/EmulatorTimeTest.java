// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program lets time pass, looks at the clock, and waits no longer than it wants to. */
@Timeout(60)
final class EmulatorTimeTest {
  private static final Duration LATENCY = Duration.ofMillis(1);

  @AutoClose
  private final Emulator emulator =
      Emulator.on(
          InMemoryFabric.create(
              InMemoryOptions.virtualTime()
                  .withPollRunsEvents(false)
                  .withLatencyNanos(LATENCY.toNanos())));

  @Test
  void aRunOfNegativeLengthIsRefused() {
    assertThatThrownBy(() -> emulator.run(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a duration of PT-0.001S is negative");
  }
}

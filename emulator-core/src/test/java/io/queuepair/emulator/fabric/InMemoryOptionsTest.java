// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.InMemoryOptions.Time;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class InMemoryOptionsTest {
  @Test
  void eachChangeLeavesTheOthersAlone() {
    InMemoryOptions changed =
        InMemoryOptions.virtualTime()
            .withLatencyNanos(5)
            .withWireExact(true)
            .withMtuBytes(1_500)
            .withPollRunsEvents(false)
            .withBurstPackets(9)
            .withMaxEmptyPolls(11);

    assertThat(changed).isEqualTo(new InMemoryOptions(Time.VIRTUAL, 5, true, 1_500, false, 9, 11));
  }

  static Stream<Arguments> refused() {
    InMemoryOptions real = InMemoryOptions.realTime();
    InMemoryOptions virtual = InMemoryOptions.virtualTime();
    return Stream.of(
        Arguments.of(real.withLatencyNanos(-1), "A latency of -1 ns is negative."),
        Arguments.of(virtual.withLatencyNanos(0), "A latency of 0 ns in virtual time"),
        Arguments.of(real.withMtuBytes(100), "An MTU of 100 bytes is not in 1280 to 65535."),
        Arguments.of(virtual.withBurstPackets(0), "A burst of 0 packets is none."),
        Arguments.of(virtual.withMaxEmptyPolls(0), "A row of 0 polls that find nothing is none."));
  }

  @ParameterizedTest
  @MethodSource
  void refused(InMemoryOptions options, String message) {
    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void pollRunsEventsIsWhatTheSchedulerSays() {
    InMemoryOptions still = InMemoryOptions.virtualTime().withPollRunsEvents(false);

    try (Fabric moving = InMemoryFabric.virtualTime();
        Fabric standing = InMemoryFabric.create(still)) {
      assertThat(moving.scheduler().virtualNetwork().orElseThrow().pollRunsEvents()).isTrue();
      assertThat(standing.scheduler().virtualNetwork().orElseThrow().pollRunsEvents()).isFalse();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.InMemoryOptions.Time;
import org.junit.jupiter.api.Test;

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

  @Test
  void refusesANegativeLatency() {
    InMemoryOptions options = InMemoryOptions.realTime().withLatencyNanos(-1);

    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessage("A latency of -1 ns is negative.");
  }

  @Test
  void refusesVirtualTimeInWhichNoAnswerIsLate() {
    InMemoryOptions options = InMemoryOptions.virtualTime().withLatencyNanos(0);

    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith("A latency of 0 ns in virtual time");
  }

  @Test
  void refusesAnMtuThatNoNetworkHas() {
    InMemoryOptions options = InMemoryOptions.realTime().withMtuBytes(100);

    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessage("An MTU of 100 bytes is not in 1280 to 65535.");
  }

  @Test
  void refusesABurstOfNothing() {
    InMemoryOptions options = InMemoryOptions.virtualTime().withBurstPackets(0);

    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessage("A burst of 0 packets is none.");
  }

  @Test
  void refusesARowOfNoPolls() {
    InMemoryOptions options = InMemoryOptions.virtualTime().withMaxEmptyPolls(0);

    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessage("A row of 0 polls that find nothing is none.");
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices come and go in a time that does not depend on how many others there are. */
final class ManyDevicesTest {
  private static final int DEVICES = 10_000;

  private enum Network {
    VIRTUAL(InMemoryFabric::virtualTime),
    REAL(InMemoryFabric::realTime);

    private final Supplier<Fabric> fabric;

    Network(Supplier<Fabric> fabric) {
      this.fabric = fabric;
    }
  }

  /** At a cost of each device that grows with the others, this would take many minutes. */
  @ParameterizedTest
  @EnumSource
  @Timeout(60)
  void tenThousandComeAndGo(Network network) {
    Emulator emulator = Emulator.on(network.fabric.get());
    for (int i = 0; i < DEVICES; i++) {
      emulator.addDevice("10.7." + (i >> 8) + "." + (i & 0xff));
    }

    assertThat(emulator.devices()).hasSize(DEVICES);
    emulator.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FreeLoopbackTest {
  @Test
  void devicesCanHaveThem() {
    UdpOptions options = UdpOptions.defaults();
    List<String> addresses = options.freeLoopbackAddresses(3);

    assertThat(addresses).doesNotHaveDuplicates().hasSize(3).allMatch(it -> it.startsWith("127."));
    try (Emulator emulator = Emulator.on(UdpFabric.open(options))) {
      addresses.forEach(emulator::addDevice);
      assertThat(emulator.devices()).hasSize(3);
    }
  }

  @Test
  void twoThatLookAtTheSameTimeFindDifferentOnes() {
    UdpOptions options = UdpOptions.defaults();

    assertThat(options.freeLoopbackAddresses(20))
        .doesNotContainAnyElementsOf(options.freeLoopbackAddresses(20));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1_001})
  void refusesNumbersOutOfRange(int count) {
    assertThatThrownBy(() -> UdpOptions.defaults().freeLoopbackAddresses(count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(count + " addresses are not 1 to 1000");
  }
}

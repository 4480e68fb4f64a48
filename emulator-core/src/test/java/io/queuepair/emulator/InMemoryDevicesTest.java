// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.queuepair.verbs.Device;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system property that names the devices in memory. */
final class InMemoryDevicesTest {
  @ParameterizedTest
  @ValueSource(strings = {"foo", "10.0.0.1,", "10.0.0.1,10.0.0.1", ","})
  void aBadValueIsNamedWithItsProperty(String addresses) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InMemoryDevices.emulator(addresses))
        .withMessageStartingWith("-Dqueuepair.memory.addresses=" + addresses + ": ")
        .withCauseInstanceOf(RuntimeException.class);
  }

  /** Not only the first call, which would be the initialization of a class. */
  @Test
  void everyCallNamesABadProperty() {
    String before = System.setProperty(InMemoryDevices.ADDRESSES_PROPERTY, "foo");
    try {
      for (int call = 0; call < 2; call++) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new InMemoryDevices().devices())
            .withMessageStartingWith("-Dqueuepair.memory.addresses=foo: ");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new InMemoryDevices().rdmaCm())
            .withMessageStartingWith("-Dqueuepair.memory.addresses=foo: ");
      }
    } finally {
      if (before == null) {
        System.clearProperty(InMemoryDevices.ADDRESSES_PROPERTY);
      } else {
        System.setProperty(InMemoryDevices.ADDRESSES_PROPERTY, before);
      }
    }
  }

  @Test
  void eachAddressIsADevice() {
    assertThat(InMemoryDevices.emulator("10.0.0.1, 10.0.0.2").devices())
        .extracting(Device::name)
        .containsExactly("qp0", "qp1");
    assertThat(InMemoryDevices.emulator("").devices()).isEmpty();
  }
}

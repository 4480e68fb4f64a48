// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.MacAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MacAddressTest {
  @Test
  void firstByteIsTheUppermost() {
    MacAddress mac = MacAddress.of("34:56:78:9A:bc:DE");

    assertThat(mac.bits()).isEqualTo(0x3456_789a_bcdeL);
    assertThat(mac).hasToString("34:56:78:9a:bc:de");
  }

  /** The example of RFC 4291, appendix A. */
  @Test
  void guidIsTheModifiedEui64() {
    MacAddress mac = MacAddress.of("34:56:78:9a:bc:de");

    assertThat(mac.toGuid()).isEqualTo(0x3656_78ff_fe9a_bcdeL);
    assertThat(MacAddress.ofGuid(0x3656_78ff_fe9a_bcdeL)).isEqualTo(mac);
  }

  @ParameterizedTest
  @CsvSource({
    "02:00:0a:00:00:01, false",
    "01:00:5e:01:01:01, true",
    "33:33:00:00:00:01, true",
    "ff:ff:ff:ff:ff:ff, true"
  })
  void lowestBitOfTheFirstByteMarksGroups(String text, boolean isMulticast) {
    assertThat(MacAddress.of(text).isMulticast()).isEqualTo(isMulticast);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "02:00:0a:00:00", "02:00:0a:00:00:01:02", "02-00-0a-00-00-01", "g"})
  void anythingElseIsNoAddress(String text) {
    assertThatThrownBy(() -> MacAddress.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}

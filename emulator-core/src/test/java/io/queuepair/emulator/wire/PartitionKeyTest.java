// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionKeyTest {
  @ParameterizedTest
  @CsvSource({
    "0xffff, 0xffff, true", // both full members of the default partition
    "0xffff, 0x7fff, true", // a full and a limited member
    "0x7fff, 0xffff, true",
    "0x7fff, 0x7fff, false", // two limited members
    "0x8001, 0x8002, false", // different partitions
    "0x8001, 0x0001, true",
    "0x8000, 0x8000, false", // the invalid partition
    "0x0000, 0x0000, false",
    "0x8000, 0x0000, false",
  })
  void matchesWithinAPartitionWhenOneEndIsAFullMember(int a, int b, boolean matches) {
    assertThat(PartitionKey.matches(a, b)).isEqualTo(matches);
  }
}

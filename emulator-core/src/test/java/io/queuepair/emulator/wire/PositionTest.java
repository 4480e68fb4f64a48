// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Opcode.Position;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PositionTest {
  @ParameterizedTest
  @CsvSource({
    "FIRST, true, false",
    "MIDDLE, false, false",
    "LAST, false, true",
    "ONLY, true, true",
  })
  void followsFromStartAndEndOfTheMessage(Position position, boolean starts, boolean ends) {
    assertThat(Position.of(starts, ends)).isEqualTo(position);
    assertThat(position.startsMessage()).isEqualTo(starts);
    assertThat(position.endsMessage()).isEqualTo(ends);
  }
}

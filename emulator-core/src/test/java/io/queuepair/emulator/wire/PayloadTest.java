// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadTest {
  @Test
  void copiesARangeAndMovesNoPosition() {
    Payload payload = new Payload(Hex.buffer("00010203040506").position(4), 2, 3);
    ByteBuffer target = ByteBuffer.allocate(6).position(5);

    payload.copyTo(target, 1);

    assertThat(payload.buffer().position()).isEqualTo(4);
    assertThat(target.position()).isEqualTo(5);
    assertThat(target.rewind()).isEqualTo(Hex.buffer("000203040000"));
  }

  @Test
  void aCopyDoesNotFollowItsOrigin() {
    ByteBuffer origin = ByteBuffer.allocateDirect(8).putLong(0, 0x0102030405060708L);
    Payload copy = new Payload(origin, 2, 4).copy();

    origin.putLong(0, 0);

    assertThat(copy).isEqualTo(Payload.of(Hex.bytes("03040506")));
  }

  @Test
  void isEqualWhenTheBytesAre() {
    Payload inTheMiddle = new Payload(Hex.buffer("ff0102ff"), 1, 2);

    assertThat(inTheMiddle).isEqualTo(Payload.of(Hex.bytes("0102")));
    assertThat(inTheMiddle).hasSameHashCodeAs(Payload.of(Hex.bytes("0102")));
    assertThat(inTheMiddle).isNotEqualTo(Payload.of(Hex.bytes("0103")));
    assertThat(Payload.EMPTY)
        .isEqualTo(new Payload(Hex.buffer("01"), 1, 0))
        .matches(Payload::isEmpty);
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, 0, true",
    "NONE, 1, false",
    "EXACTLY_MTU, 1024, true",
    "EXACTLY_MTU, 1023, false",
    "EXACTLY_MTU, 1025, false",
    "UP_TO_MTU_NOT_EMPTY, 0, false",
    "UP_TO_MTU_NOT_EMPTY, 1, true",
    "UP_TO_MTU_NOT_EMPTY, 1024, true",
    "UP_TO_MTU_NOT_EMPTY, 1025, false",
    "UP_TO_MTU, 0, true",
    "UP_TO_MTU, 1024, true",
    "UP_TO_MTU, 1025, false",
    "EIGHT, 8, true",
    "EIGHT, 7, false",
  })
  void rulesBoundItsLength(PayloadRule rule, int payloadBytes, boolean allowed) {
    assertThat(rule.allows(payloadBytes, 1024)).isEqualTo(allowed);
  }
}

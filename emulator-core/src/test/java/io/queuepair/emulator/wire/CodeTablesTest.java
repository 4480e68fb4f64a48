// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Opcode.Position;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes, numbers and keys against the tables and rules of the InfiniBand specification. */
class CodeTablesTest {
  /** Microseconds of the codes 0 to 31. */
  private static final int[] RNR_MICROS = {
    655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120,
    7680, 10240, 15360, 20480, 30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520
  };

  /** Receives of the codes 0 to 30. */
  private static final int[] RECEIVE_WQES = {
    0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
    3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768
  };

  @Test
  void rnrTimers() {
    for (int code = 0; code < 32; code++) {
      assertThat(RnrTimer.nanos(code)).as("code %d", code).isEqualTo(RNR_MICROS[code] * 1_000L);
    }
  }

  @Test
  void credits() {
    for (int code = 0; code < 31; code++) {
      assertThat(Aeth.receiveWqes(code)).as("code %d", code).isEqualTo(RECEIVE_WQES[code]);
      assertThat(Aeth.creditCodeWithin(RECEIVE_WQES[code])).isEqualTo(code);
    }
  }

  @Test
  void creditsNeverPromiseMoreReceivesThanThereAre() {
    assertThat(Aeth.creditCodeWithin(5)).isEqualTo(4);
    assertThat(Aeth.creditCodeWithin(47)).isEqualTo(10);
    assertThat(Aeth.creditCodeWithin(1_000_000)).isEqualTo(30);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 8192", "14, 67108864", "17, 536870912", "31, 8796093022208"})
  void ackTimeouts(int code, long nanos) {
    assertThat(LocalAckTimeout.nanos(code)).isEqualTo(nanos);
  }

  @Test
  void anAckWithoutCreditsHasAllOnesAsCredits() {
    assertThat(Aeth.ack(7)).isEqualTo(new Aeth(0x1f, 7)).matches(Aeth::isAck);
    assertThat(Aeth.ack(7).creditCode()).isEqualTo(31);
    assertThat(Aeth.ack(10, 7)).isEqualTo(new Aeth(0x0a, 7));
  }

  @Test
  void anRnrNakCarriesATimerCode() {
    assertThat(Aeth.rnrNak(12, 7)).isEqualTo(new Aeth(0x2c, 7)).matches(Aeth::isRnrNak);
    assertThat(Aeth.rnrNak(12, 7).rnrTimerCode()).isEqualTo(12);
  }

  @ParameterizedTest
  @CsvSource({
    "PSN_SEQUENCE_ERROR, 0, 0x60",
    "INVALID_REQUEST, 1, 0x61",
    "REMOTE_ACCESS_ERROR, 2, 0x62",
    "REMOTE_OPERATIONAL_ERROR, 3, 0x63",
    "INVALID_RD_REQUEST, 4, 0x64",
  })
  void aNakCarriesItsReason(NakCode code, int number, int syndrome) {
    Aeth nak = Aeth.nak(code, 7);

    assertThat(code.code()).isEqualTo(number);
    assertThat(nak).isEqualTo(new Aeth(syndrome, 7)).matches(Aeth::isNak);
    assertThat(nak.nakCode()).isEqualTo(code);
  }

  @Test
  void aReservedNakCodeIsNotNamed() {
    assertThat(new Aeth(0x65, 0).isNak()).isTrue();
    assertThat(new Aeth(0x65, 0).nakCode()).isNull();
    assertThat(new Aeth(0x7f, 0).nakCode()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x5f, 0x80, 0x9f, 0xa0, 0xe0, 0xff})
  void reservedSyndromesAreNeitherAckNorNak(int syndrome) {
    Aeth aeth = new Aeth(syndrome, 0);

    assertThat(aeth.isAck() || aeth.isRnrNak() || aeth.isNak()).isFalse();
  }

  private static final int LARGEST = 0xffffff;
  private static final int WINDOW = 0x800000;

  @Test
  void wrapsAround() {
    assertThat(Psn.next(LARGEST)).isZero();
    assertThat(Psn.add(LARGEST, 3)).isEqualTo(2);
    assertThat(Psn.distance(LARGEST, 2)).isEqualTo(3);
    assertThat(Psn.distance(2, LARGEST)).isEqualTo(LARGEST - 2);
  }

  @Test
  void ordersAcrossTheWrap() {
    assertThat(Psn.isBefore(LARGEST, 0)).isTrue();
    assertThat(Psn.isBefore(0, LARGEST)).isFalse();
    assertThat(Psn.isBefore(5, 5)).isFalse();
    assertThat(Psn.compare(2, LARGEST)).isEqualTo(3);
    assertThat(Psn.compare(LARGEST, 2)).isEqualTo(-3);
  }

  @Test
  void seesLessThanHalfTheNumbersAhead() {
    assertThat(Psn.compare(WINDOW - 1, 0)).isPositive();
    assertThat(Psn.isBefore(WINDOW, 0)).isTrue();
    assertThat(Psn.isBefore(WINDOW + 1, 0)).isTrue();
  }

  @Property
  void comparesByDistance(
      @ForAll @IntRange(max = LARGEST) int psn, @ForAll @IntRange(max = WINDOW - 1) int ahead) {
    int later = Psn.add(psn, ahead);

    assertThat(Psn.compare(later, psn)).isEqualTo(ahead);
    assertThat(Psn.compare(psn, later)).isEqualTo(-ahead);
    assertThat(Psn.distance(psn, later)).isEqualTo(ahead);
  }

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

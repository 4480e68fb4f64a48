// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AethTest {
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
}

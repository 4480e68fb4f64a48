// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timer and credit codes against the tables of the InfiniBand specification. */
class CodeTablesTest {
  private static final int NANOS_PER_MILLISECOND = 6;

  @ParameterizedTest(name = "{0}: {1} ms")
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          0 655.36
          1 0.01
          2 0.02
          3 0.03
          4 0.04
          5 0.06
          6 0.08
          7 0.12
          8 0.16
          9 0.24
          10 0.32
          11 0.48
          12 0.64
          13 0.96
          14 1.28
          15 1.92
          16 2.56
          17 3.84
          18 5.12
          19 7.68
          20 10.24
          21 15.36
          22 20.48
          23 30.72
          24 40.96
          25 61.44
          26 81.92
          27 122.88
          28 163.84
          29 245.76
          30 327.68
          31 491.52
          """)
  void rnrTimers(int code, BigDecimal milliseconds) {
    assertThat(RnrTimer.nanos(code))
        .isEqualTo(milliseconds.movePointRight(NANOS_PER_MILLISECOND).longValueExact());
  }

  @ParameterizedTest(name = "{0}: {1} receives")
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          0 0
          1 1
          2 2
          3 3
          4 4
          5 6
          6 8
          7 12
          8 16
          9 24
          10 32
          11 48
          12 64
          13 96
          14 128
          15 192
          16 256
          17 384
          18 512
          19 768
          20 1024
          21 1536
          22 2048
          23 3072
          24 4096
          25 6144
          26 8192
          27 12288
          28 16384
          29 24576
          30 32768
          """)
  void credits(int code, int receiveWqes) {
    assertThat(Aeth.receiveWqes(code)).isEqualTo(receiveWqes);
    assertThat(Aeth.creditCodeWithin(receiveWqes)).isEqualTo(code);
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
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unsignaled SENDs that ask for no acknowledgement, of which the last one is lost, or its
 * repetition, or both: no later packet shows the loss (IBTA vol. 1, 9.7.6.1.3).
 */
final class UnaskedLossTest {
  private static final int RECEIVES = 8;

  /** Time enough for the repetition, and not for the timeout of 67 ms. */
  private static final Duration SHORT = Duration.ofMillis(1);

  private static final Duration LONG = Duration.ofMillis(200);

  /** Loses the first so many packets with a PSN of the first device. */
  private static FaultyFabric losing(int psn, int times) {
    int[] left = {times};
    return new FaultyFabric(
        datagram ->
            datagram.sender() == 1 && datagram.psn() == psn && left[0]-- > 0
                ? DatagramFate.DROP
                : DatagramFate.PASS);
  }

  private static int lastPsn(FaultyFabric fabric) {
    return fabric.seen().stream()
        .filter(datagram -> datagram.sender() == 1)
        .mapToInt(FaultyFabric.FabricDatagram::psn)
        .max()
        .orElseThrow();
  }

  /** Posts SENDs; returns the PSN of the last one. */
  private static int send(Pair pair, FaultyFabric fabric, int count) {
    for (int i = 0; i < RECEIVES; i++) {
      pair.b().postRecv(RecvWr.of(i));
    }
    for (int i = 0; i < count; i++) {
      pair.a().postSend(SendWr.send(i).withFlags());
    }
    pair.run(Duration.ofNanos(1));
    return lastPsn(fabric);
  }

  private static int firstPsn() {
    FaultyFabric fabric = FaultyFabric.reliable();
    try (Pair pair = Pair.on(fabric).connect()) {
      return send(pair, fabric, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theRepetitionMakesUpForALostLastSend(int count) {
    FaultyFabric fabric = losing(firstPsn() + count - 1, 1);
    try (Pair pair = Pair.on(fabric).connect()) {
      send(pair, fabric, count);

      pair.run(SHORT);

      assertThat(pair.b().receives()).hasSize(count);
      assertThat(pair.a().context().hwCounters(1)).containsEntry(HwCounter.COMPLETER_RETRY_ERR, 0L);
      assertThat(pair.a().sends()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "3, 2"})
  void theTimeoutMakesUpForBothLost(int count, int times) {
    FaultyFabric fabric = losing(firstPsn() + count - 1, times);
    try (Pair pair = Pair.on(fabric).connect()) {
      send(pair, fabric, count);

      pair.run(SHORT);
      assertThat(pair.b().receives()).hasSize(count - 1);
      pair.run(LONG);

      assertThat(pair.b().receives()).hasSize(1);
      assertThat(pair.a().context().hwCounters(1)).containsEntry(HwCounter.COMPLETER_RETRY_ERR, 1L);
      assertThat(pair.a().state()).isEqualTo(QpState.RTS);
    }
  }
}

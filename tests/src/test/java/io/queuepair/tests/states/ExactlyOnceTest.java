// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.QpState;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Verbs at any moment of the traffic, on a network that loses packets: whatever the state, each
 * request completes once, in order, and nothing succeeds behind a failure. A failure names the
 * seed.
 */
final class ExactlyOnceTest {
  private static final int STEPS = 60;
  private static final int PERCENT_LOST = 5;
  private static final int MOST_EVENTS = 6;

  private static final List<QpState> WAY = List.of(QpState.INIT, QpState.RTR, QpState.RTS);

  /** Where random modifies lead; the usual way is taken more often than all of them. */
  private static final List<QpState> ANYWHERE =
      List.of(QpState.RESET, QpState.RTS, QpState.RTS, QpState.SQD, QpState.SQD, QpState.ERR);

  private static void run(QpKind kind, long seed) {
    Random random = new Random(seed);
    try (QpStateFixture bench = QpStateFixture.of(kind)) {
      bench.fates(
          datagram -> random.nextInt(100) < PERCENT_LOST ? DatagramFate.DROP : DatagramFate.PASS);
      CompletionLedger ledger = new CompletionLedger(kind, bench);
      for (int step = 0; step < STEPS; step++) {
        runStep(random, bench, ledger);
      }
      ledger.settle();
    }
  }

  private static void runStep(Random random, QpStateFixture bench, CompletionLedger ledger) {
    switch (random.nextInt(12)) {
      case 0, 1 -> WAY.forEach(ledger::modify);
      case 2 -> ledger.modify(ANYWHERE.get(random.nextInt(ANYWHERE.size())));
      case 3 -> ledger.postSend(random.nextInt(8) != 0, random.nextBoolean());
      case 4, 5 -> ledger.postSend(true, random.nextBoolean());
      case 6, 7 -> ledger.postReceive();
      case 8 -> ledger.peerPostsReceive();
      case 9 -> ledger.peerSends();
      case 10 -> ledger.poll();
      default -> {
        for (int events = random.nextInt(MOST_EVENTS); events > 0; events--) {
          bench.fabric().scheduler().runNext();
        }
      }
    }
    assertThat(bench.subject().state()).isNotEqualTo(QpState.UNKNOWN);
  }

  @Property(tries = 100, seed = "4", shrinking = ShrinkingMode.OFF)
  void reliableConnectionsCompleteEverythingOnce(@ForAll long seed) {
    run(QpKind.RC, seed);
  }

  @Property(tries = 100, seed = "5", shrinking = ShrinkingMode.OFF)
  void unreliableConnectionsCompleteEverythingOnce(@ForAll long seed) {
    run(QpKind.UC, seed);
  }

  @Property(tries = 100, seed = "6", shrinking = ShrinkingMode.OFF)
  void datagramsCompleteEverythingOnce(@ForAll long seed) {
    run(QpKind.UD, seed);
  }

  @Property(tries = 100, seed = "7", shrinking = ShrinkingMode.OFF)
  void extendedConnectionsCompleteEverythingOnce(@ForAll long seed) {
    run(QpKind.XRC_SEND, seed);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random messages in both directions over a network that loses, doubles, delays and collects: each
 * completes exactly once, in order, with every byte right and no other byte touched. A failure
 * names the seed.
 */
final class RandomTrafficTest {
  private static final int OPERATIONS = 40;
  private static final int FIRST_PSN = 0xff_ffc0;

  private static Pair pair(Random random, int percentFaults) {
    Mtu mtu = Mtu.values()[random.nextInt(3)];
    long batchNanos = random.nextInt(3) * 5_000L;
    int reads = 1 + random.nextInt(4);
    FaultyFabric fabric = new FaultyFabric(datagram -> fate(random, percentFaults), batchNanos);
    return Pair.on(fabric)
        .mtu(mtu)
        .cap(new QpCap(OPERATIONS, OPERATIONS, 4, 4, 0))
        .rtr(attr -> attr.rqPsn(FIRST_PSN).minRnrTimer(1).maxDestRdAtomic(reads))
        .rts(attr -> attr.sqPsn(FIRST_PSN).retryCnt(7).rnrRetry(7).timeout(10).maxRdAtomic(reads))
        .connect();
  }

  private static DatagramFate fate(Random random, int percentFaults) {
    if (random.nextInt(100) >= percentFaults) {
      return DatagramFate.PASS;
    }
    return switch (random.nextInt(3)) {
      case 0 -> DatagramFate.DROP;
      case 1 -> DatagramFate.TWICE;
      default -> DatagramFate.LATE;
    };
  }

  private static void run(long seed, int percentFaults) {
    Random random = new Random(seed);
    try (Pair pair = pair(random, percentFaults)) {
      RandomFlow there = new RandomFlow(random, pair.a(), pair.b());
      RandomFlow back = new RandomFlow(random, pair.b(), pair.a());
      for (int wrId = 0; wrId < OPERATIONS; wrId++) {
        there.post(wrId);
        back.post(wrId);
        pair.run(Duration.ofNanos(random.nextInt(20_000)));
        there.postLateReceives();
        back.postLateReceives();
      }
      pair.drain();

      there.assertEverythingOnce();
      back.assertEverythingOnce();
      assertThat(pair.a().state()).isEqualTo(QpState.RTS);
      assertThat(pair.b().state()).isEqualTo(QpState.RTS);
    }
  }

  @Property(tries = 50, seed = "1", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceOnAGoodNetwork(@ForAll long seed) {
    run(seed, 0);
  }

  @Property(tries = 100, seed = "2", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceWithAFewFaults(@ForAll long seed) {
    run(seed, 2);
  }

  @Property(tries = 100, seed = "3", shrinking = ShrinkingMode.OFF)
  void completesExactlyOnceWithManyFaults(@ForAll long seed) {
    run(seed, 20);
  }
}

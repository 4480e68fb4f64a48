// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.Context;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Completions of sends that are acknowledged together: none is lost, and none is late. {@link
 * #main} does the same over UDP for some minutes; a wait that does not end says how far each
 * request has come.
 */
final class CompletionStressTest {
  private static final int SEEDS = 2_500;

  /** Of simulated time: a lost packet is sent again after 67 ms, up to seven times. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static void run(long seed, String plan) {
    Random random = new Random(seed);
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withBurstPackets(1 + random.nextInt(32));
    try (Emulator emulator =
        Emulator.builder()
            .fabric(InMemoryFabric.create(options))
            .faultWarnings(unused -> {})
            .faults(FaultPlan.parse(plan).withSeed(seed))
            .build()) {
      Context own = emulator.addDevice("10.0.0.1").open();
      Context peer = emulator.addDevice("10.0.0.2").open();
      CompletionRound round = new CompletionRound(random, own, peer);

      round.post();
      while (!round.isDone()) {
        round.poll();
        emulator.run(Duration.ofNanos(random.nextInt(5_000)));
        assertThat(emulator.now())
            .as(() -> "seed " + seed + " hangs; requests without an end:\n" + round.report())
            .isLessThan(LIMIT);
      }
      round.close();
    }
  }

  @Tag("large") // Half a minute, or some on a busy machine.
  @ParameterizedTest
  @CsvSource({
    "1, delay up to 3us 50%",
    "20001, drop 1%; delay up to 5us 20%",
    "40001, reorder 10%; delay up to 20us 20%",
    "60001, duplicate 5%; delay 1us 50%"
  })
  void everySignaledSendIsPolled(long firstSeed, String plan) {
    for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
      run(seed, plan);
    }
  }

  /**
   * Runs rounds over UDP on this host until time is up, or one does not end.
   *
   * @param args minutes, and an address of the loopback network
   */
  public static void main(String[] args) throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.parseLong(args[0]));
    long rounds = 0;
    long posted = 0;
    long longestNanos = 0;
    try (Emulator emulator = Emulator.on(UdpFabric.open())) {
      EmulatedDevice own = emulator.addDevice(args[1] + ".1");
      EmulatedDevice peer = emulator.addDevice(args[1] + ".2");
      Context ownContext = own.open();
      Context peerContext = peer.open();
      while (System.nanoTime() - endNanos < 0) {
        CompletionRound round = new CompletionRound(new Random(rounds), ownContext, peerContext);
        round.post();
        long beginNanos = System.nanoTime();
        while (!round.isDone()) {
          round.poll();
          if (System.nanoTime() - beginNanos > HANG_NANOS) {
            System.out.println("round " + rounds + " hangs; requests without an end:");
            System.out.println(round.report() + emulator.report());
            System.exit(1);
          }
        }
        longestNanos = Math.max(longestNanos, System.nanoTime() - beginNanos);
        posted += round.posted();
        round.close();
        rounds++;
      }
    }
    System.out.printf(
        "%d rounds, %d requests, each completed; longest end of a round %.1f ms%n",
        rounds, posted, longestNanos / 1e6);
  }
}

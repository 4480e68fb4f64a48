// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.Fabric;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Fires random and mutated datagrams at devices, in episodes: episode {@code n} of seed {@code s}
 * is the first one of seed {@code s + n}, so that each can be had by itself.
 */
public final class Fuzzer {
  /** Datagrams of an episode. */
  public static final long EPISODE_DATAGRAMS = 100_000;

  /**
   * One of so many episodes, if it is a whole one, ends with a look at the memory of the process.
   */
  private static final int EPISODES_PER_WEIGHING = 16;

  /** What an episode may keep: far less than 100 bytes for each datagram. */
  private static final long MAX_GROWTH_BYTES = 8L << 20;

  private final RegionFactory regionFactory;
  private final UnaryOperator<Fabric> around;
  private final FuzzTotals totals = new FuzzTotals();

  private Fuzzer(RegionFactory regionFactory, UnaryOperator<Fabric> around) {
    this.regionFactory = regionFactory;
    this.around = around;
  }

  /**
   * Fires.
   *
   * @param datagrams how many, at least 1
   * @param seed any number
   * @param regionFactory registers the memory of the devices
   * @param progress called after each episode
   * @return what became of it: the same for the same arguments
   */
  public static FuzzTotals run(
      long datagrams, long seed, RegionFactory regionFactory, Consumer<FuzzTotals> progress) {
    return run(
        datagrams,
        seed,
        regionFactory,
        totals -> {
          progress.accept(totals);
          return true;
        },
        UnaryOperator.identity());
  }

  /**
   * Fires on a decorated network.
   *
   * @param datagrams how many, at least 1
   * @param seed any number
   * @param regionFactory registers the memory of the devices
   * @param progress called after each episode; returns whether to continue
   * @param around decorates the network of each episode
   * @return what became of it
   */
  static FuzzTotals run(
      long datagrams,
      long seed,
      RegionFactory regionFactory,
      Predicate<FuzzTotals> progress,
      UnaryOperator<Fabric> around) {
    Fuzzer fuzzer = new Fuzzer(regionFactory, around);
    long left = datagrams;
    boolean goesOn = true;
    for (long number = 0; left > 0 && goesOn; number++) {
      long count = Math.min(left, EPISODE_DATAGRAMS);
      boolean isWeighed = number % EPISODES_PER_WEIGHING == 0 && count == EPISODE_DATAGRAMS;
      fuzzer.episode(seed + number, count, isWeighed);
      goesOn = progress.test(fuzzer.totals);
      left -= count;
    }
    return fuzzer.totals;
  }

  private void episode(long seed, long count, boolean isWeighed) {
    FuzzRun fuzzRun = new FuzzRun(seed, regionFactory, false, around);
    try {
      long before = isWeighed ? usedBytes() : 0;
      Finding finding = fuzzRun.run(count);
      totals.add(fuzzRun);
      if (finding != null) {
        totals.add(exact(finding));
      } else if (isWeighed) {
        checkHeap(seed, count, usedBytes() - before);
      }
    } finally {
      fuzzRun.close();
    }
  }

  /** The same again, looking at the memory more often: which datagram it was. */
  private Finding exact(Finding rough) {
    FuzzRun again = new FuzzRun(rough.seed(), regionFactory, true, UnaryOperator.identity());
    try {
      Finding exact = again.run(rough.index() + 1);
      return exact == null ? rough : exact;
    } finally {
      again.close();
    }
  }

  private void checkHeap(long seed, long count, long growthBytes) {
    if (growthBytes > MAX_GROWTH_BYTES) {
      String what = "the devices keep " + growthBytes + " bytes more than before";
      totals.add(new Finding(seed, count - 1, what, List.of()));
    }
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

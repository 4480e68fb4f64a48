// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.lab.bench.Load.LoadOpener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InProcessBenchmarkTest {
  private static final long LONG_NANOS = 1L << 50;
  private static final long LONG_ENOUGH_NANOS = 10_000_000;

  private final List<String> log = new ArrayList<>();

  private final class NotedLoad implements Load {
    private final String name;

    NotedLoad(String name) {
      this.name = name;
      log.add("open " + name);
    }

    @Override
    public long run(long nanos) {
      log.add(name + " " + nanos);
      return 1;
    }

    @Override
    public void close() {
      log.add("close " + name);
    }
  }

  private static BenchmarkResult run(
      LoadOpener load, LoadOpener reference, BenchmarkSettings settings) throws IOException {
    BenchmarkCase row =
        new BenchmarkCase("row", "what", Unit.MICROSECONDS, Threshold.atMost(1), load);
    return InProcessBenchmark.run(
        reference == null ? row : row.beside("other", reference), settings);
  }

  @Test
  void aFigureAndWhatStandsBesideItTakeTurns() throws IOException {
    run(
        () -> new NotedLoad("a"),
        () -> new NotedLoad("b"),
        new BenchmarkSettings(LONG_NANOS, 4, 2));

    String warmup = Long.toString(LONG_NANOS / 4);
    String turn = Long.toString(LONG_NANOS);
    assertThat(log)
        .containsExactly(
            "open a",
            "open b",
            "b 1",
            "b 4",
            "a 1",
            "a 4",
            "b " + warmup,
            "b " + turn,
            "a " + warmup,
            "a " + turn,
            "b " + warmup,
            "b " + turn,
            "a " + warmup,
            "a " + turn,
            "close b",
            "close a");
  }

  @Test
  void nothingIsWarmedUpUnlessAsked() throws IOException {
    BenchmarkResult result =
        run(() -> new NotedLoad("a"), null, new BenchmarkSettings(LONG_NANOS, 0, 3));

    assertThat(log).hasSize(8).first().isEqualTo("open a");
    assertThat(result.values()).hasSize(3);
    assertThat(result.references()).isEmpty();
  }

  @Test
  void heapIsCountedForAMessage() throws IOException {
    List<byte[]> kept = new ArrayList<>();
    Load load =
        nanos -> {
          for (int i = 0; i < 10; i++) {
            kept.add(new byte[100_000]);
          }
          return 10;
        };

    assertThat(Unit.BYTES.measure(load, 1)).isBetween(100_000.0, 200_000.0);
    assertThat(kept).hasSize(10);
  }

  @Test
  void eachDeviceOfARingWritesToTheNextOne() {
    try (RingOfDevices ring = new RingOfDevices(3)) {
      assertThat(ring.run(LONG_ENOUGH_NANOS)).isPositive();
    }
  }

  @Test
  void whatTakesLongerThanItsTimeIsMeasuredFiveTimesAtLeast() throws IOException {
    Load slow =
        nanos -> {
          long start = System.nanoTime();
          while (System.nanoTime() - start <= 1000) {
            Thread.onSpinWait();
          }
          return 1;
        };

    assertThat(run(() -> slow, null, new BenchmarkSettings(1, 0, 50)).values()).hasSize(5);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InProcessBenchmarkTest {
  private static final long LONG_NANOS = 1L << 50;

  private final List<String> log = new ArrayList<>();

  private final class NotedLoad implements LoadFactory.Opened {
    private final String name;

    NotedLoad(String name) {
      this.name = name;
      log.add("open " + name);
    }

    @Override
    public double measure(long nanos) {
      log.add(name + " " + nanos);
      return log.size();
    }

    @Override
    public void close() {
      log.add("close " + name);
    }
  }

  private static BenchmarkResult run(
      LoadFactory probe, LoadFactory reference, BenchmarkSettings settings) throws IOException {
    BenchmarkCase row = BenchmarkCase.of("row", "what", Unit.BYTES, null, probe);
    return InProcessBenchmark.run(
        reference == null ? row : row.beside("other", reference), settings);
  }

  @Test
  void aFigureAndWhatStandsBesideItTakeTurns() throws IOException {
    run(
        settings -> new NotedLoad("a"),
        settings -> new NotedLoad("b"),
        new BenchmarkSettings(LONG_NANOS, 7, 2, 0));

    String turn = Long.toString(LONG_NANOS);
    assertThat(log)
        .containsExactly(
            "open a",
            "open b",
            "b 7",
            "a 7",
            "b " + turn,
            "a " + turn,
            "b " + turn,
            "a " + turn,
            "close b",
            "close a");
  }

  @Test
  void nothingIsWarmedUpUnlessAsked() throws IOException {
    BenchmarkResult result =
        run(settings -> new NotedLoad("a"), null, new BenchmarkSettings(LONG_NANOS, 0, 3, 0));

    assertThat(log).hasSize(5).first().isEqualTo("open a");
    assertThat(result.values()).containsExactly(2.0, 3.0, 4.0);
    assertThat(result.references()).isEmpty();
  }

  @Test
  void whatTakesLongerThanItsTimeIsMeasuredFiveTimesAtLeast() throws IOException {
    LoadFactory slow =
        LoadFactory.fromNothing(
            nanos -> {
              long start = System.nanoTime();
              while (System.nanoTime() - start <= 1000) {
                Thread.onSpinWait();
              }
              return 1;
            });

    assertThat(run(slow, null, new BenchmarkSettings(1, 0, 50, 0)).values()).hasSize(5);
  }
}

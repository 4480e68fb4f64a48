package io.queuepair.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MeasuringTest {
  private static final long LONG_NANOS = 1L << 50;

  private final List<String> log = new ArrayList<>();

  private final class Noted implements Probe.Opened {
    private final String name;

    Noted(String name) {
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

  private static RowResult run(Probe probe, Probe reference, Effort effort) throws IOException {
    Row row = Row.of("row", "what", Unit.BYTES, null, probe);
    return Measuring.run(reference == null ? row : row.beside("other", reference), effort);
  }

  @Test
  void aFigureAndWhatStandsBesideItTakeTurns() throws IOException {
    run(effort -> new Noted("a"), effort -> new Noted("b"), new Effort(LONG_NANOS, 7, 2, 0));

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
    RowResult result = run(effort -> new Noted("a"), null, new Effort(LONG_NANOS, 0, 3, 0));

    assertThat(log).hasSize(5).first().isEqualTo("open a");
    assertThat(result.values()).containsExactly(2.0, 3.0, 4.0);
    assertThat(result.references()).isEmpty();
  }

  @Test
  void whatTakesLongerThanItsTimeIsMeasuredFiveTimesAtLeast() throws IOException {
    Probe slow =
        Probe.fromNothing(
            nanos -> {
              long start = System.nanoTime();
              while (System.nanoTime() - start <= 1000) {
                Thread.onSpinWait();
              }
              return 1;
            });

    assertThat(run(slow, null, new Effort(1, 0, 50, 0)).values()).hasSize(5);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The progress of a long run, and how often it is shown. */
final class ProgressBarTest {
  private final StringWriter shown = new StringWriter();
  private final PrintWriter err = new PrintWriter(shown, true);
  private long nowNanos = 1_000;

  private void after(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void aTerminalSeesRateAndTimeLeft() {
    ProgressBar bar = new ProgressBar(err, true, () -> nowNanos);

    after(60_000);
    bar.show(1_500, 6_000, "seeds", "2 failures");

    assertThat(shown.toString())
        .endsWith("] 25 %, 1500 of 6000 seeds, 25 seeds/s, 3 min left, 2 failures");
  }

  @Test
  void aTerminalIsPaintedFourTimesASecondAtMostAndAtTheEnd() {
    ProgressBar bar = new ProgressBar(err, true, () -> nowNanos);
    for (int done = 1; done <= 1_000; done++) {
      after(1);
      bar.show(done, 1_000, "seeds", "");
    }

    assertThat(shown.toString().chars().filter(c -> c == '\r').count()).isEqualTo(5);
    assertThat(shown.toString()).contains("100 %");
  }

  @Test
  void aLogGetsALineEveryHalfMinute() {
    ProgressBar bar = new ProgressBar(err, false, () -> nowNanos);
    for (int done = 1; done <= 95; done++) {
      after(1_000);
      bar.show(done, 100, "rows", "row " + done);
    }
    bar.clear();

    assertThat(shown.toString().lines())
        .containsExactly(
            "30 %, 30 of 100 rows, 60.0 rows/min, 70 s left, row 30",
            "60 %, 60 of 100 rows, 60.0 rows/min, 40 s left, row 60",
            "90 %, 90 of 100 rows, 60.0 rows/min, 10 s left, row 90");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TimedTest {
  /** Component whose deadline is a time, or none. */
  private record Part(@Nullable Long nanos) implements Timed {
    @Override
    public boolean hasDeadline() {
      return nanos != null;
    }

    @Override
    public long deadlineNanos() {
      return nanos;
    }
  }

  @Test
  void earlierDeadlineOfTwoCounts() {
    assertThat(Timed.earlierNanos(new Part(1L), new Part(2L))).isEqualTo(1);
    assertThat(Timed.earlierNanos(new Part(2L), new Part(1L))).isEqualTo(1);
  }

  @Test
  void onlyDeadlineCounts() {
    assertThat(Timed.earlierNanos(new Part(3L), new Part(null))).isEqualTo(3);
    assertThat(Timed.earlierNanos(new Part(null), new Part(3L))).isEqualTo(3);
  }

  @Test
  void timeMayOverflow() {
    Part before = new Part(Long.MAX_VALUE);
    Part after = new Part(Long.MIN_VALUE);

    assertThat(Timed.earlierNanos(before, after)).isEqualTo(Long.MAX_VALUE);
    assertThat(Timed.earlierNanos(after, before)).isEqualTo(Long.MAX_VALUE);
  }
}

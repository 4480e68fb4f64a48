// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LimitedExecutorTest {
  private final List<Runnable> threads = new ArrayList<>();
  private final List<String> done = new ArrayList<>();

  @Test
  void runsWaitingTasksWhenOthersAreDone() {
    LimitedExecutor executor = new LimitedExecutor(threads::add, 2);
    for (String task : List.of("a", "b", "c", "d")) {
      executor.execute(() -> done.add(task));
    }

    assertThat(threads).hasSize(2);
    threads.get(1).run();
    assertThat(done).containsExactly("b", "c", "d");
    executor.execute(() -> done.add("e"));
    assertThat(threads).hasSize(3);
  }

  @Test
  void refusesATaskWithoutAThreadAndRunsTheNext() {
    List<Runnable> refused = new ArrayList<>();
    LimitedExecutor executor =
        new LimitedExecutor(
            task -> {
              if (refused.isEmpty()) {
                refused.add(task);
                throw new OutOfMemoryError("no thread");
              }
              threads.add(task);
            },
            1);

    assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(OutOfMemoryError.class);
    executor.execute(() -> done.add("next"));

    assertThat(threads).hasSize(1);
  }
}

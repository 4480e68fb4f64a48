// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Lets another executor run so many tasks at once; the others wait in order. Thread-safe. */
final class LimitedExecutor implements Executor {
  private final Executor threads;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int free;

  /**
   * Creates an executor of tasks that throw nothing.
   *
   * @param limit tasks that run at once
   */
  LimitedExecutor(Executor threads, int limit) {
    this.threads = threads;
    free = limit;
  }

  @Override
  public synchronized void execute(Runnable task) {
    if (free == 0) {
      waiting.add(task);
    } else {
      threads.execute(() -> run(task));
      free--;
    }
  }

  private void run(Runnable first) {
    for (Runnable task = first; task != null; task = next()) {
      task.run();
    }
  }

  private synchronized Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      free++;
    }
    return next;
  }
}

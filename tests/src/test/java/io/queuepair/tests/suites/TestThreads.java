// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads of a test. */
final class TestThreads implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  <T> Future<T> submit(Callable<T> task) {
    return threads.submit(task);
  }

  Future<?> submit(Runnable task) {
    return threads.submit(task);
  }

  /** Runs it in several threads that start together, and fails as the first of them fails. */
  void inThreads(int count, Callable<Void> task) throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<Void>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(
          threads.submit(
              () -> {
                start.await();
                return task.call();
              }));
    }
    for (Future<Void> thread : running) {
      thread.get();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

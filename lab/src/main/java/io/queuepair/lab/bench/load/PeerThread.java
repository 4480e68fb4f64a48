// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread for the other side: it runs tasks while the caller waits, or by itself. */
final class PeerThread implements Executor, AutoCloseable {
  private final ExecutorService service =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "queuepair-bench-second");
            thread.setDaemon(true);
            return thread;
          });

  /** What the thread does by itself. */
  private Future<?> underWay;

  /** Does something and returns when it is done. */
  @Override
  public void execute(Runnable task) {
    await(service.submit(task));
  }

  /** Begins something that ends by itself. */
  void begin(Runnable task) {
    underWay = service.submit(task);
  }

  /** Waits until that has ended. */
  void awaitEnd() {
    await(underWay);
  }

  private static void await(Future<?> done) {
    try {
      done.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("the second thread failed", failed.getCause());
    }
  }

  @Override
  public void close() {
    service.shutdown();
  }
}

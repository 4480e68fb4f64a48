// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Runs seeds on all processors; returns results in the order of seeds. For one thread. */
final class OrderedRuns<T> implements AutoCloseable {
  /** Runs started ahead of the awaited one, for each thread: runs differ in duration. */
  private static final int AHEAD = 16;

  private final LongFunction<T> run;
  private final ExecutorService threads;
  private final Queue<Future<T>> ahead = new ArrayDeque<>();
  private final int room;
  private final long last;
  private long nextSeed;

  /** Creates the threads; the function is called on any of them. */
  OrderedRuns(long first, long last, LongFunction<T> run) {
    int processors = Runtime.getRuntime().availableProcessors();
    int count = (int) Math.min(processors, last - first + 1);
    threads = Executors.newFixedThreadPool(count);
    room = AHEAD * count;
    nextSeed = first;
    this.last = last;
    this.run = run;
  }

  /** Waits for the result of the next seed; the exception of a run is thrown as a cause. */
  T next() {
    while (nextSeed <= last && ahead.size() < room) {
      long seed = nextSeed++;
      ahead.add(threads.submit(() -> run.apply(seed)));
    }
    try {
      return ahead.remove().get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** Interrupts the threads; runs that have not begun are dropped. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/**
 * Results of runs that are made by as many threads as there are processors, in the order of their
 * seeds. For one thread.
 */
final class OrderedRuns<T> implements AutoCloseable {
  /** Runs ahead of the one that is waited for, for each thread: runs differ in length. */
  private static final int AHEAD = 16;

  private final LongFunction<T> run;
  private final ExecutorService threads;
  private final Queue<Future<T>> ahead = new ArrayDeque<>();
  private final int room;
  private final long last;
  private long nextSeed;

  /** Starts to run seeds, in any thread. */
  OrderedRuns(long first, long last, LongFunction<T> run) {
    int processors = Runtime.getRuntime().availableProcessors();
    int count = (int) Math.min(processors, last - first + 1);
    threads = Executors.newFixedThreadPool(count);
    room = AHEAD * count;
    nextSeed = first;
    this.last = last;
    this.run = run;
  }

  /** Waits for the result of the next seed, and throws what its run has thrown. */
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

  /** Leaves out the runs that have not begun. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}

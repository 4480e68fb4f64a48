// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Starts a thread for each task. Thread-safe. */
final class ThreadPerTaskExecutor extends AbstractExecutorService {
  private final ApplicationThreads threads;
  private final String name;

  /** Guards {@link #startedThreads} and {@link #count}. */
  private final Object changing = new Object();

  private final List<ApplicationThread> startedThreads = new ArrayList<>();
  private int count;
  private volatile boolean isShutdown;

  ThreadPerTaskExecutor(ApplicationThreads threads, String name) {
    this.threads = threads;
    this.name = name;
  }

  @Override
  public void execute(Runnable task) {
    if (isShutdown) {
      throw new RejectedExecutionException("executor " + name + " is shut down");
    }
    String next;
    synchronized (changing) {
      startedThreads.removeIf(thread -> !thread.isAlive());
      count++;
      next = name + "-" + count;
    }
    ApplicationThread thread = threads.start(next, task);
    synchronized (changing) {
      startedThreads.add(thread);
    }
  }

  @Override
  public void shutdown() {
    isShutdown = true;
    threads.wake();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    living().forEach(ApplicationThread::interrupt);
    return List.of(); // Every task has begun.
  }

  private List<ApplicationThread> living() {
    synchronized (changing) {
      return startedThreads.stream().filter(ApplicationThread::isAlive).toList();
    }
  }

  @Override
  public boolean isShutdown() {
    return isShutdown;
  }

  @Override
  public boolean isTerminated() {
    return isShutdown && living().isEmpty();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return await("the end of executor " + name, this::isTerminated, timeout, unit);
  }

  private boolean await(String what, BooleanSupplier isEnd, long timeout, TimeUnit unit)
      throws InterruptedException {
    try {
      return threads.awaitEnd(what, isEnd, Duration.ofNanos(unit.toNanos(timeout)));
    } catch (VerbsException e) {
      throw ThreadWaits.interruptedBy(e);
    }
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
    return new TurnFuture<>(
        () -> {
          task.run();
          return value;
        });
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
    return new TurnFuture<>(task);
  }

  /** A future whose waits the emulator sees. */
  private final class TurnFuture<T> extends FutureTask<T> {
    TurnFuture(Callable<T> task) {
      super(task);
    }

    @Override
    protected void done() {
      threads.wake();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
      try {
        threads.awaitEnd("the result of a task of executor " + name, this::isDone, null);
      } catch (VerbsException e) {
        throw ThreadWaits.interruptedBy(e);
      }
      return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      String what = "the result of a task of executor " + name;
      if (!await(what, this::isDone, timeout, unit)) {
        throw new TimeoutException("not within " + timeout + " " + unit);
      }
      return super.get();
    }
  }
}

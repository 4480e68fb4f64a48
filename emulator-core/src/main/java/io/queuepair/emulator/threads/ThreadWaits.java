// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.device.WaitQueue;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits of application threads for each other: for a lock, a signal, an element of a queue, a
 * result. They end when the emulator is closed. Thread-safe.
 */
final class ThreadWaits {
  private final Scheduler scheduler;

  /** Guards the state of locks, queues and waits. */
  private final ReentrantLock guard = new ReentrantLock();

  private final List<Pending> pending = new ArrayList<>();
  private boolean areDismissed;

  private record Pending(Thread thread, WaitDescription description, WaitQueue queue) {}

  ThreadWaits(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Makes a queue of threads that check their condition under the guard. */
  WaitQueue newQueue() {
    return new WaitQueue(guard, scheduler);
  }

  long nowNanos() {
    return scheduler.nowNanos();
  }

  <T> T locked(Supplier<T> body) {
    guard.lock();
    try {
      return body.get();
    } finally {
      guard.unlock();
    }
  }

  /** Lets threads that wait in a queue check again. Any thread may call this. */
  void wake(WaitQueue queue) {
    guard.lock();
    try {
      queue.wake();
    } finally {
      guard.unlock();
    }
  }

  /**
   * Changes state under the guard, once the calling thread has the turn.
   *
   * @throws VerbsException EPERM if it does not take turns
   */
  void change(String verb, WaitQueue queue, Runnable change) {
    queue.acquire(verb);
    guard.lock();
    try {
      change.run();
    } finally {
      guard.unlock();
      queue.release();
    }
  }

  /**
   * Waits until something can be taken. Before that, other threads may have a turn, as at every
   * verb.
   *
   * @param take takes it, under the guard; returns null while there is nothing
   * @param timeout how long at most, or null for ever; with zero, others take turns once
   * @throws VerbsException as {@link WaitQueue#await}
   */
  <T> Optional<T> await(
      WaitQueue queue,
      WaitDescription description,
      Supplier<@Nullable T> take,
      @Nullable Duration timeout) {
    queue.beginVerb(description.verb());
    try {
      T found = locked(take);
      return found == null ? awaitNext(queue, description, take, timeout) : Optional.of(found);
    } finally {
      queue.release();
    }
  }

  private <T> Optional<T> awaitNext(
      WaitQueue queue,
      WaitDescription description,
      Supplier<@Nullable T> take,
      @Nullable Duration timeout) {
    Pending pendingWait = new Pending(Thread.currentThread(), description, queue);
    locked(
        () -> {
          if (areDismissed) {
            queue.dismiss();
          }
          return pending.add(pendingWait);
        });
    try {
      return queue.await(description, take, timeout);
    } finally {
      locked(() -> pending.remove(pendingWait));
    }
  }

  /**
   * Waits as {@link #await}, but throws the exception of Java if the thread is interrupted.
   *
   * @throws InterruptedException if the thread is interrupted, before or meanwhile
   */
  <T> Optional<T> awaitInterruptibly(
      WaitQueue queue,
      WaitDescription description,
      Supplier<@Nullable T> take,
      @Nullable Duration timeout)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(description.verb() + ": the thread was interrupted before");
    }
    try {
      return await(queue, description, take, timeout);
    } catch (VerbsException e) {
      throw interruptedBy(e);
    }
  }

  /** Converts EINTR to an InterruptedException; throws any other exception as it is. */
  static InterruptedException interruptedBy(VerbsException exception) {
    if (exception.errno() != Errno.EINTR || !Thread.interrupted()) {
      throw exception;
    }
    InterruptedException interrupted = new InterruptedException(exception.getMessage());
    interrupted.initCause(exception);
    return interrupted;
  }

  /** Waits without a time limit; an interrupt only sets the interrupt flag at the end. */
  <T> T awaitUninterruptibly(
      WaitQueue queue, WaitDescription description, Supplier<@Nullable T> take) {
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          return await(queue, description, take, null).orElseThrow();
        } catch (VerbsException e) {
          if (e.errno() != Errno.EINTR || !Thread.interrupted()) {
            throw e;
          }
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends all waits, now and in future, as the emulator is closed. */
  void dismiss() {
    guard.lock();
    try {
      areDismissed = true;
      pending.forEach(p -> p.queue.dismiss());
    } finally {
      guard.unlock();
    }
  }

  /** Describes what each waiting thread waits for, in the order in which the waits began. */
  List<String> describe() {
    return locked(
        () ->
            pending.stream()
                .map(
                    p ->
                        nameOf(p.thread)
                            + " waits in "
                            + p.description.verb()
                            + " for "
                            + p.description.what().get())
                .toList());
  }

  static String nameOf(Thread thread) {
    return "thread " + ThreadScheduler.nameOf(thread);
  }
}

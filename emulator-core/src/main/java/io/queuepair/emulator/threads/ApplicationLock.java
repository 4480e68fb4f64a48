// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.device.WaitQueue;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock whose waits the emulator sees. When it becomes free, the first waiting thread to
 * run takes it; the schedule decides which one that is.
 */
final class ApplicationLock implements Lock {
  private final ThreadWaits waits;
  private final String name;

  private final WaitQueue waiters;

  /** Holder, or null. Guarded by the guard of {@link ThreadWaits}, as are the fields below. */
  private @Nullable Thread holder;

  private int holds;

  /**
   * Threads that left a condition without the lock, as their wait for it failed: it would have
   * lasted for ever, or the emulator was closed. Each entry makes one later unlock of the thread do
   * nothing, so that no exception of it replaces the one that the thread is about to throw.
   */
  private final List<Thread> refused = new ArrayList<>();

  ApplicationLock(ThreadWaits waits, String name) {
    this.waits = waits;
    this.name = name;
    waiters = waits.newQueue();
  }

  @Override
  public void lock() {
    waits.awaitUninterruptibly(waiters, describe("lock"), () -> take(1));
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    waits.awaitInterruptibly(waiters, describe("lockInterruptibly"), () -> take(1), null);
  }

  @Override
  public boolean tryLock() {
    return waits.await(waiters, describe("tryLock"), () -> take(1), Duration.ZERO).isPresent();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    Duration timeout = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
    return waits
        .awaitInterruptibly(waiters, describe("tryLock"), () -> take(1), timeout)
        .isPresent();
  }

  private WaitDescription describe(String verb) {
    return new WaitDescription(verb, () -> waits.locked(this::toString));
  }

  private @Nullable ApplicationLock take(int newHolds) {
    Thread current = Thread.currentThread();
    if (holder != null && holder != current) {
      return null;
    }
    holder = current;
    holds += newHolds;
    return this;
  }

  @Override
  public void unlock() {
    waits.change(
        "unlock",
        waiters,
        () -> {
          if (!refused.remove(Thread.currentThread())) {
            checkHeld("unlock");
            release(1);
          }
        });
  }

  private void checkHeld(String verb) {
    Thread current = Thread.currentThread();
    if (holder != current) {
      throw new IllegalMonitorStateException(
          verb + ": " + ThreadWaits.nameOf(current) + " does not hold " + this);
    }
  }

  private void release(int fewerHolds) {
    holds -= fewerHolds;
    if (holds == 0) {
      holder = null;
      waiters.wake();
    }
  }

  @Override
  public Condition newCondition() {
    return new LockCondition();
  }

  /** The lock and its holder, for reports. */
  @Override
  public String toString() {
    Thread current = holder;
    String held = current == null ? "free" : "held by " + ThreadWaits.nameOf(current);
    return "lock " + name + " (" + held + ")";
  }

  private final class Waiter {
    private final WaitQueue queue = waits.newQueue();
    private boolean isSignaled;

    private @Nullable Waiter signaled() {
      return isSignaled ? this : null;
    }
  }

  /** A condition of the lock. It signals the thread first that has waited for longest. */
  private final class LockCondition implements Condition {
    private final Deque<Waiter> unsignaledWaiters = new ArrayDeque<>();

    /** Wait for a signal: interruptible or not, with or without a time limit. */
    private interface SignalWait {
      Optional<Waiter> await(Waiter waiter, WaitDescription description)
          throws InterruptedException;
    }

    @Override
    public void await() throws InterruptedException {
      releaseAnd((waiter, description) -> takeSignal(waiter, description, null));
    }

    @Override
    public void awaitUninterruptibly() {
      try {
        releaseAnd(
            (waiter, description) ->
                Optional.of(
                    waits.awaitUninterruptibly(waiter.queue, description, waiter::signaled)));
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
    }

    @Override
    public long awaitNanos(long timeoutNanos) throws InterruptedException {
      long endNanos = waits.nowNanos() + timeoutNanos;
      Duration timeout = Duration.ofNanos(Math.max(0, timeoutNanos));
      releaseAnd((waiter, description) -> takeSignal(waiter, description, timeout));
      return endNanos - waits.nowNanos();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      Duration timeout = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
      return releaseAnd((waiter, description) -> takeSignal(waiter, description, timeout));
    }

    @Override
    public boolean awaitUntil(Date deadline) {
      throw new UnsupportedOperationException(
          "a date is of the clock of the machine, not of the network: use awaitNanos");
    }

    private Optional<Waiter> takeSignal(
        Waiter waiter, WaitDescription description, @Nullable Duration timeout)
        throws InterruptedException {
      return waits.awaitInterruptibly(waiter.queue, description, waiter::signaled, timeout);
    }

    /** Releases the lock, waits for a signal, takes the lock again; false if none came in time. */
    private boolean releaseAnd(SignalWait signalWait) throws InterruptedException {
      Waiter waiter = new Waiter();
      int before = giveBack(waiter);
      WaitDescription description =
          new WaitDescription("await", () -> "a signal of a condition of lock " + name);
      try {
        return signalWait.await(waiter, description).isPresent() || isSignaled(waiter);
      } catch (InterruptedException interrupted) {
        if (!isSignaled(waiter)) { // Otherwise the signal is lost.
          throw interrupted;
        }
        Thread.currentThread().interrupt();
        return true;
      } finally {
        takeAgain(waiter, before);
      }
    }

    private int giveBack(Waiter waiter) {
      int[] before = new int[1];
      waits.change(
          "await",
          waiters,
          () -> {
            checkHeld("await");
            before[0] = holds;
            unsignaledWaiters.addLast(waiter);
            release(holds);
          });
      return before[0];
    }

    /** Whether the signal came before the wait ended; if not, removes the waiter. */
    private boolean isSignaled(Waiter waiter) {
      return waits.locked(() -> !unsignaledWaiters.remove(waiter));
    }

    private void takeAgain(Waiter waiter, int before) {
      waits.locked(() -> unsignaledWaiters.remove(waiter));
      try {
        waits.awaitUninterruptibly(waiters, describe("await"), () -> take(before));
      } catch (VerbsException e) {
        waits.locked(() -> refused.addAll(Collections.nCopies(before, Thread.currentThread())));
        throw e;
      }
    }

    @Override
    public void signal() {
      waits.change(
          "signal",
          waiters,
          () -> {
            checkHeld("signal");
            signalFirst();
          });
    }

    @Override
    public void signalAll() {
      waits.change(
          "signalAll",
          waiters,
          () -> {
            checkHeld("signalAll");
            while (!unsignaledWaiters.isEmpty()) {
              signalFirst();
            }
          });
    }

    private void signalFirst() {
      Waiter first = unsignaledWaiters.pollFirst();
      if (first != null) {
        first.isSignaled = true;
        first.queue.wake();
      }
    }
  }
}

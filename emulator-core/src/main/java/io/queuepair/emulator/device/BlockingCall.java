// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.CallSite;
import io.queuepair.emulator.fabric.BlockedWork;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.LivelockDetector;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.emulator.fabric.SpinCondition;
import io.queuepair.emulator.fabric.ThreadTurns;
import io.queuepair.emulator.fabric.TurnWait;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A blocking verb: the thread runs the network itself, or blocks until another one has. */
final class BlockingCall<T> {
  /** Longest timeout, to which longer ones are cut, so that it fits nanoseconds. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

  /**
   * Longest time that a caller runs the network in place of the network's thread; then it sleeps,
   * as only a sleeping thread can be interrupted at once.
   */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Maximum number of sentences in the report of a deadlocked wait. */
  private static final int MAX_SENTENCES = 40;

  private final WaitDescription waitDescription;
  private final Supplier<@Nullable T> take;
  private final Scheduler scheduler;

  /**
   * Creates a call that does not wait yet.
   *
   * @param take takes the result, under the lock; returns null while there is none
   */
  BlockingCall(WaitDescription waitDescription, Supplier<@Nullable T> take, Scheduler scheduler) {
    this.waitDescription = waitDescription;
    this.take = take;
    this.scheduler = scheduler;
  }

  /**
   * Waits for the result.
   *
   * @param condition of the lock, signaled whenever there may be a result
   * @param timeout how long at most, or null for ever
   * @throws VerbsException EDEADLK if there is no timeout and the network is idle, or only retries
   *     requests after RNR NAKs of a receiver that will never be ready
   */
  Optional<T> await(ReentrantLock lock, SpinCondition condition, @Nullable Duration timeout) {
    return scheduler.progressMode() == ProgressMode.BACKGROUND
        ? sleepUntil(lock, condition, timeout)
        : runUntil(lock, timeout);
  }

  /**
   * Waits for the result while other threads take turns, which run the network when all wait.
   *
   * @param waits of the device: signaled, under the lock, whenever there may be a result
   * @param timeout how long at most, or null for ever
   * @throws VerbsException as {@link #await}; EINTR if the thread is interrupted
   */
  Optional<T> awaitByTurns(
      ReentrantLock lock, List<TurnWait> waits, ThreadTurns turns, @Nullable Duration timeout) {
    long endNanos = timeout == null ? 0 : scheduler.nowNanos() + nanosOf(timeout);
    String verb = waitDescription.verb();
    TurnWait wait =
        timeout == null
            ? TurnWait.forever(verb, waitDescription.what())
            : TurnWait.until(verb, waitDescription.what(), endNanos);
    T taken = takeUnder(lock);
    if (taken == null && timeout != null && nanosOf(timeout) <= 0) {
      turns.pollFoundNothing(verb);
      return Optional.ofNullable(takeUnder(lock));
    }
    lockAnd(lock, () -> waits.add(wait));
    try {
      while (taken == null && (timeout == null || scheduler.nowNanos() - endNanos < 0)) {
        if (Thread.currentThread().isInterrupted()) {
          throw interrupted();
        }
        Optional<String> why = turns.await(wait);
        wait.beforeLook();
        taken = takeUnder(lock);
        if (taken == null && why.isPresent()) {
          throw deadlock(waitDescription, scheduler, why.get());
        }
      }
      return Optional.ofNullable(taken);
    } finally {
      lockAnd(lock, () -> waits.remove(wait));
    }
  }

  private static void lockAnd(ReentrantLock lock, Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  private Optional<T> sleepUntil(
      ReentrantLock lock, SpinCondition condition, @Nullable Duration timeout) {
    long leftNanos = timeout == null ? Long.MAX_VALUE : nanosOf(timeout);
    boolean hadItsTurn = false;
    boolean hasSpun = false;
    lock.lock();
    try {
      T taken = take.get();
      while (taken == null && leftNanos > 0) {
        if (!hadItsTurn && scheduler.lease().tryAcquire()) {
          long begin = System.nanoTime();
          taken = runLeased(lock, Math.min(leftNanos, TURN_NANOS));
          leftNanos -= System.nanoTime() - begin;
          hadItsTurn = true;
        } else {
          leftNanos = blockOnCondition(condition, hasSpun, leftNanos);
          hasSpun = true;
        }
        taken = taken == null ? take.get() : taken;
      }
      return Optional.ofNullable(taken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw interrupted();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks on the condition. Only the first time spins: a signal may be for another thread. */
  private long blockOnCondition(SpinCondition condition, boolean hasSpun, long nanos)
      throws InterruptedException {
    scheduler.lease().beforeBlock();
    try {
      return hasSpun ? condition.sleep(nanos) : condition.spin(nanos);
    } finally {
      scheduler.lease().afterBlock();
    }
  }

  /** Runs the network for a while in place of the network's thread, without the lock. */
  private @Nullable T runLeased(ReentrantLock lock, long nanos) throws InterruptedException {
    lock.unlock();
    long endNanos = scheduler.nowNanos() + nanos;
    T taken = null;
    try {
      while (taken == null && scheduler.nowNanos() - endNanos < 0) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        scheduler.lease().runUntil(endNanos);
        taken = takeUnder(lock);
      }
    } finally {
      scheduler.lease().release();
      lock.lock();
    }
    return taken;
  }

  private Optional<T> runUntil(ReentrantLock lock, @Nullable Duration timeout) {
    return Optional.ofNullable(timeout == null ? runForEver(lock) : runFor(lock, nanosOf(timeout)));
  }

  private T runForEver(ReentrantLock lock) {
    LivelockDetector livelockDetector = new LivelockDetector(scheduler);
    BooleanSupplier step = scheduler::runNext;
    T taken = takeUnder(lock);
    while (taken == null) {
      run(step);
      if (scheduler.progressMode() == ProgressMode.VIRTUAL && livelockDetector.isExhausted()) {
        throw deadlock(waitDescription, scheduler, LivelockDetector.REASON);
      }
      taken = takeUnder(lock);
    }
    return taken;
  }

  private T runFor(ReentrantLock lock, long nanos) {
    long endNanos = scheduler.nowNanos() + nanos;
    BooleanSupplier step = () -> scheduler.runNextUntil(endNanos);
    T taken = takeUnder(lock);
    while (taken == null && scheduler.nowNanos() - endNanos < 0) {
      run(step);
      taken = takeUnder(lock);
    }
    return taken;
  }

  private void run(BooleanSupplier step) {
    if (scheduler.progressMode() == ProgressMode.CALLER_DRIVEN
        && Thread.currentThread().isInterrupted()) {
      throw interrupted();
    }
    try {
      if (!step.getAsBoolean()) {
        throw deadlock(waitDescription, scheduler, "the network is idle");
      }
    } catch (FabricException e) {
      throw refusal(waitDescription.verb(), scheduler, e);
    }
  }

  private VerbsException interrupted() {
    return new VerbsException(
        Errno.EINTR, waitDescription.verb(), "the waiting thread was interrupted");
  }

  /** Makes the refusal of the calling thread, and records it: an executor may hide it. */
  static VerbsException refusal(String verb, Scheduler scheduler, FabricException exception) {
    Thread thread = Thread.currentThread();
    String name = thread.getName().isEmpty() ? "#" + thread.getId() : thread.getName();
    scheduler
        .blockedWork()
        .recordRefusal(
            "refused with EPERM: thread " + name + ", in " + verb + ", " + CallSite.ofCaller());
    return new VerbsException(Errno.EPERM, verb, exception.getMessage(), exception);
  }

  /** Makes the EDEADLK of a wait; its message says what every wait is blocked on. */
  static VerbsException deadlock(WaitDescription waitDescription, Scheduler scheduler, String why) {
    StringJoiner text = new StringJoiner("\n  ");
    text.add("the wait for " + waitDescription.what().get() + " would block for ever: " + why);
    BlockedWork blockedWork = scheduler.blockedWork();
    List<String> sentences = new ArrayList<>(blockedWork.refusals());
    blockedWork.reporters().forEach(reporter -> sentences.addAll(reporter.describeBlockedWork()));
    int shown = Math.min(sentences.size(), MAX_SENTENCES);
    sentences.subList(0, shown).forEach(text::add);
    if (shown < sentences.size()) {
      text.add("and " + (sentences.size() - shown) + " more");
    }
    blockedWork.recordDeadlock(text.toString());
    return new VerbsException(Errno.EDEADLK, waitDescription.verb(), text.toString());
  }

  private T takeUnder(ReentrantLock lock) {
    lock.lock();
    try {
      return take.get();
    } finally {
      lock.unlock();
    }
  }

  private static long nanosOf(Duration timeout) {
    return timeout.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT.toNanos() : timeout.toNanos();
  }
}

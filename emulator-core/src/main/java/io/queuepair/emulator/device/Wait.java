package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.Bell;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Patience;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Scheduler.Progress;
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

/** A caller waits for something: it sleeps while others run the network, or runs it itself. */
final class Wait<T> {
  /** What longer ones are cut to, so that they fit nanoseconds. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

  /**
   * How long a caller runs the network instead of its own thread at most, before it sleeps: who
   * sleeps can be interrupted.
   */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** What is said about a hopeless wait, at most. */
  private static final int MAX_SENTENCES = 40;

  private final Purpose purpose;
  private final Supplier<T> take;
  private final Scheduler scheduler;

  /**
   * Prepares to wait.
   *
   * @param take takes what is waited for, under the lock; null while there is nothing
   */
  Wait(Purpose purpose, Supplier<T> take, Scheduler scheduler) {
    this.purpose = purpose;
    this.take = take;
    this.scheduler = scheduler;
  }

  /**
   * Waits.
   *
   * @param changed of the lock, rung whenever there may be something
   * @param timeout how long at most, or null for ever
   * @throws VerbsException EDEADLK if the network is idle, or does nothing but ask a receiver again
   *     that will never be ready, and there is no timeout
   */
  Optional<T> await(ReentrantLock lock, Bell changed, Duration timeout) {
    return scheduler.progress() == Progress.BACKGROUND
        ? sleepUntil(lock, changed, timeout)
        : runUntil(lock, timeout);
  }

  private Optional<T> sleepUntil(ReentrantLock lock, Bell changed, Duration timeout) {
    long leftNanos = timeout == null ? Long.MAX_VALUE : nanosOf(timeout);
    boolean hadItsTurn = false;
    boolean hasSpun = false;
    lock.lock();
    try {
      T taken = take.get();
      while (taken == null && leftNanos > 0) {
        if (!hadItsTurn && scheduler.lending().borrow()) {
          long begin = System.nanoTime();
          taken = runBorrowed(lock, Math.min(leftNanos, TURN_NANOS));
          leftNanos -= System.nanoTime() - begin;
          hadItsTurn = true;
        } else {
          leftNanos = relyOnOthers(changed, hasSpun, leftNanos);
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

  /** Spins once for each wait, as what others are told of may not be what it waits for. */
  private long relyOnOthers(Bell changed, boolean hasSpun, long nanos) throws InterruptedException {
    scheduler.lending().fallAsleep();
    try {
      return hasSpun ? changed.sleep(nanos) : changed.spin(nanos);
    } finally {
      scheduler.lending().wokeUp();
    }
  }

  /** Runs the network for a while instead of its own thread, holding no lock meanwhile. */
  private T runBorrowed(ReentrantLock lock, long nanos) throws InterruptedException {
    lock.unlock();
    long endNanos = scheduler.nowNanos() + nanos;
    T taken = null;
    try {
      while (taken == null && scheduler.nowNanos() - endNanos < 0) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        scheduler.lending().runUntil(endNanos);
        taken = takeUnder(lock);
      }
    } finally {
      scheduler.lending().giveBack();
      lock.lock();
    }
    return taken;
  }

  private Optional<T> runUntil(ReentrantLock lock, Duration timeout) {
    return Optional.ofNullable(timeout == null ? runForEver(lock) : runFor(lock, nanosOf(timeout)));
  }

  private T runForEver(ReentrantLock lock) {
    Patience patience = new Patience(scheduler);
    T taken = takeUnder(lock);
    while (taken == null) {
      run(scheduler::runNext);
      if (scheduler.progress() == Progress.VIRTUAL && patience.isExhausted()) {
        throw hopeless(purpose, scheduler, Patience.REASON);
      }
      taken = takeUnder(lock);
    }
    return taken;
  }

  private T runFor(ReentrantLock lock, long nanos) {
    long endNanos = scheduler.nowNanos() + nanos;
    T taken = takeUnder(lock);
    while (taken == null && scheduler.nowNanos() - endNanos < 0) {
      run(() -> scheduler.runNextUntil(endNanos));
      taken = takeUnder(lock);
    }
    return taken;
  }

  private void run(BooleanSupplier step) {
    if (scheduler.progress() == Progress.CALLER_DRIVEN && Thread.currentThread().isInterrupted()) {
      throw interrupted();
    }
    try {
      if (!step.getAsBoolean()) {
        throw hopeless(purpose, scheduler, "the network is idle");
      }
    } catch (FabricException refused) {
      throw new VerbsException(Errno.EPERM, purpose.verb(), refused.getMessage(), refused);
    }
  }

  private VerbsException interrupted() {
    return new VerbsException(Errno.EINTR, purpose.verb(), "the waiting thread was interrupted");
  }

  /** Says what everybody waits for. */
  static VerbsException hopeless(Purpose purpose, Scheduler scheduler, String why) {
    StringJoiner text = new StringJoiner("\n  ");
    text.add("the wait for " + purpose.what().get() + " would block for ever: " + why);
    List<String> sentences = new ArrayList<>();
    scheduler.witnesses().forEach(witness -> sentences.addAll(witness.waitsFor()));
    int shown = Math.min(sentences.size(), MAX_SENTENCES);
    sentences.subList(0, shown).forEach(text::add);
    if (shown < sentences.size()) {
      text.add("and " + (sentences.size() - shown) + " more");
    }
    return new VerbsException(Errno.EDEADLK, purpose.verb(), text.toString());
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

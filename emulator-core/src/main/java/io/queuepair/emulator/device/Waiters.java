package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.Bell;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Scheduler.Progress;
import io.queuepair.emulator.fabric.SpinCourtesy;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Who waits for something of one device, or looks for it again and again. */
final class Waiters {
  /** What is said of a device that was closed. */
  static final String GONE = "the device is gone, and nothing comes any more";

  private final ReentrantLock lock;
  private final Scheduler scheduler;
  private final Bell changed;
  private final boolean countsPolls;
  private final SpinCourtesy courtesy = new SpinCourtesy();

  /** Whether the device is gone, so that nothing comes any more. Written under the lock. */
  private volatile boolean areDismissed;

  /**
   * Nobody waits yet.
   *
   * @param lock of the device
   */
  Waiters(ReentrantLock lock, Scheduler scheduler) {
    this.lock = lock;
    this.scheduler = scheduler;
    changed = new Bell(lock);
    countsPolls = scheduler.progress() == Progress.VIRTUAL;
  }

  /** Lets all of them look again. The caller holds the lock. */
  void wake() {
    boolean isAwaited = changed.ring();
    scheduler.lending().tell(isAwaited);
  }

  /** Ends all waits: the device is gone. The caller holds the lock. */
  void dismiss() {
    areDismissed = true;
    wake();
  }

  /** Whether the device is gone. */
  boolean areDismissed() {
    return areDismissed;
  }

  /** Whether other threads run the network, so that waiting for other threads makes sense. */
  boolean canRelyOnOthers() {
    return !areDismissed && scheduler.progress() == Progress.BACKGROUND;
  }

  /**
   * Begins to use the network, for the length of a call or a wait; {@link Scheduler#release} ends
   * it.
   *
   * @throws VerbsException EPERM if another thread uses it, and it is for one at a time
   */
  void acquire(String verb) {
    try {
      scheduler.acquire();
    } catch (FabricException refused) {
      throw new VerbsException(Errno.EPERM, verb, refused.getMessage());
    }
  }

  /** A poll found something. */
  void foundSomething() {
    if (countsPolls) {
      scheduler.pollFoundSomething();
    }
  }

  /**
   * A poll found nothing, also after the network had made progress.
   *
   * @throws VerbsException EDEADLK if all have, so often that this one will never end
   */
  void foundNothing(Purpose purpose) {
    if (!countsPolls) {
      return;
    }
    Optional<String> reason = scheduler.pollFoundNothing();
    if (reason.isPresent()) {
      throw Wait.hopeless(purpose, scheduler, reason.get());
    }
  }

  /**
   * Lets the network make progress after a poll in vain: if no other thread does that, within the
   * call.
   *
   * @throws VerbsException EPERM if it is for another thread
   */
  boolean pollMakesProgress(String verb) {
    if (canRelyOnOthers()) {
      boolean found = scheduler.runReady();
      courtesy.looked(found);
      return found;
    }
    try {
      return scheduler.pollRunsEvents() && scheduler.runReady();
    } catch (FabricException refused) {
      throw new VerbsException(Errno.EPERM, verb, refused.getMessage(), refused);
    }
  }

  /**
   * Waits until something is there.
   *
   * @param take takes it, under the lock; null while there is nothing
   * @param timeout how long at most, or null for ever
   * @throws VerbsException EDEADLK if the network is idle and there is no timeout, or if too many
   *     in a row have ended without anything; EPERM if another thread has to run it; EINTR if the
   *     thread was interrupted; ENODEV if the device is gone
   */
  <T> Optional<T> await(Purpose purpose, Supplier<T> take, Duration timeout) {
    Supplier<T> takeOrGiveUp =
        () -> {
          T taken = take.get();
          if (taken == null && areDismissed) {
            throw new VerbsException(Errno.ENODEV, purpose.verb(), GONE);
          }
          return taken;
        };
    Optional<T> taken = run(purpose, takeOrGiveUp, timeout);
    if (taken.isPresent()) {
      foundSomething();
    } else {
      foundNothing(purpose);
    }
    return taken;
  }

  /** Lets time pass, and the network do what it has to do meanwhile. */
  void spend(Purpose purpose, Duration duration) {
    Optional<Waiters> never = run(purpose, () -> null, duration);
    assert never.isEmpty() : "nothing is waited for";
  }

  private <T> Optional<T> run(Purpose purpose, Supplier<T> take, Duration timeout) {
    acquire(purpose.verb());
    try {
      return new Wait<>(purpose, take, scheduler).await(lock, changed, timeout);
    } finally {
      scheduler.release();
    }
  }
}

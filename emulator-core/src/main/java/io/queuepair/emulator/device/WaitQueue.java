// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.emulator.fabric.SpinCondition;
import io.queuepair.emulator.fabric.SpinYield;
import io.queuepair.emulator.fabric.ThreadTurns;
import io.queuepair.emulator.fabric.TurnWait;
import io.queuepair.emulator.fabric.VirtualNetwork;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The threads that wait for something of one device, or poll it. */
public final class WaitQueue {
  /** Message of ENODEV for waits at a closed device. */
  public static final String GONE = "the device is gone, and nothing comes any more";

  private final ReentrantLock lock;
  private final Scheduler scheduler;
  private final SpinCondition condition;

  /** Network, if its time is virtual; or null. */
  private final @Nullable VirtualNetwork virtualNetwork;

  private final SpinYield spinYield = new SpinYield();

  /** Waits of threads that take turns; guarded by the lock. */
  private final List<TurnWait> turnWaits = new ArrayList<>();

  /** Whether the device is closed, which ends all waits. Written under the lock. */
  private volatile boolean areDismissed;

  public WaitQueue(ReentrantLock lock, Scheduler scheduler) {
    this.lock = lock;
    this.scheduler = scheduler;
    condition = new SpinCondition(lock);
    virtualNetwork = scheduler.virtualNetwork().orElse(null);
  }

  /** Lets all waiting threads check again. The caller holds the lock. */
  public void wake() {
    for (int i = 0; i < turnWaits.size(); i++) { // An iterator would be garbage at each call.
      turnWaits.get(i).signal();
    }
    boolean isAwaited = condition.signal();
    scheduler.lease().notifyRunner(isAwaited);
  }

  /** Ends all waits, as the device is closed. The caller holds the lock. */
  public void dismiss() {
    areDismissed = true;
    wake();
  }

  /** Whether the device is closed. */
  public boolean areDismissed() {
    return areDismissed;
  }

  /** Whether other threads can end a wait: they run the network, or take turns on it. */
  public boolean canBlock() {
    return runsInBackground() || (!areDismissed && turns() != null);
  }

  private @Nullable ThreadTurns turns() {
    return virtualNetwork == null ? null : virtualNetwork.turns().orElse(null);
  }

  private boolean runsInBackground() {
    return !areDismissed && scheduler.progressMode() == ProgressMode.BACKGROUND;
  }

  /**
   * Begins to use the network, for the length of a call or a wait; {@link #release} ends it.
   *
   * @throws VerbsException EPERM in virtual time, if another thread uses the network
   */
  public void acquire(String verb) {
    if (virtualNetwork == null) {
      return;
    }
    try {
      virtualNetwork.acquire();
    } catch (FabricException e) {
      throw BlockingCall.refusal(verb, scheduler, e);
    }
  }

  /** Ends what {@link #acquire} or {@link #beginVerb} began. */
  public void release() {
    if (virtualNetwork != null) {
      virtualNetwork.release();
    }
  }

  /**
   * Begins a verb, before it takes any lock; {@link #release} ends it.
   *
   * @throws VerbsException EPERM as {@link #acquire}
   */
  public void beginVerb(String verb) {
    if (virtualNetwork == null) {
      return;
    }
    try {
      virtualNetwork.beginVerb(verb);
    } catch (FabricException e) {
      throw BlockingCall.refusal(verb, scheduler, e);
    }
    acquire(verb);
  }

  public void foundSomething() {
    if (virtualNetwork != null) {
      virtualNetwork.pollFoundSomething();
    }
  }

  /**
   * Records that a poll found nothing, even after the network had made progress.
   *
   * @throws VerbsException EDEADLK if so many polls in a row found nothing that this one never will
   */
  public void foundNothing(WaitDescription waitDescription) {
    if (virtualNetwork == null) {
      return;
    }
    Optional<String> reason = virtualNetwork.pollFoundNothing();
    if (reason.isPresent()) {
      throw BlockingCall.deadlock(waitDescription, scheduler, reason.get());
    }
  }

  /**
   * Lets the network make progress after a poll in vain, within the call if no other thread runs
   * it.
   *
   * @return whether a second poll may find something
   * @throws VerbsException EPERM if another thread is to run it
   */
  public boolean pollMakesProgress(String verb) {
    if (runsInBackground()) {
      boolean found = scheduler.runReady();
      spinYield.looked(found);
      return found;
    }
    try {
      ThreadTurns turns = turns();
      if (turns != null) {
        turns.pollFoundNothing(verb);
        return true;
      }
      return scheduler.progressMode() != ProgressMode.BACKGROUND && scheduler.runReady();
    } catch (FabricException e) {
      throw BlockingCall.refusal(verb, scheduler, e);
    }
  }

  /**
   * Waits until something can be taken.
   *
   * @param take takes it, under the lock; returns null while there is nothing
   * @param timeout how long at most, or null for ever
   * @throws VerbsException EDEADLK if the network is idle and there is no timeout, or if too many
   *     waits in a row found nothing; EPERM if another thread has to run the network; EINTR if the
   *     thread was interrupted; ENODEV if the device is closed
   */
  public <T> Optional<T> await(
      WaitDescription waitDescription, Supplier<@Nullable T> take, @Nullable Duration timeout) {
    Supplier<@Nullable T> takeOrGiveUp =
        () -> {
          T taken = take.get();
          if (taken == null && areDismissed) {
            throw new VerbsException(Errno.ENODEV, waitDescription.verb(), GONE);
          }
          return taken;
        };
    Optional<T> taken = run(waitDescription, takeOrGiveUp, timeout);
    if (taken.isPresent()) {
      foundSomething();
    } else {
      foundNothing(waitDescription);
    }
    return taken;
  }

  /**
   * Waits for a duration, while the network does what it has to do.
   *
   * @throws VerbsException ENODEV if the device is closed
   */
  public void spend(WaitDescription waitDescription, Duration duration) {
    Optional<WaitQueue> end = run(waitDescription, () -> areDismissed ? this : null, duration);
    if (end.isPresent()) {
      throw new VerbsException(Errno.ENODEV, waitDescription.verb(), GONE);
    }
  }

  private <T> Optional<T> run(
      WaitDescription waitDescription, Supplier<@Nullable T> take, @Nullable Duration timeout) {
    acquire(waitDescription.verb());
    try {
      BlockingCall<T> call = new BlockingCall<>(waitDescription, take, scheduler);
      ThreadTurns turns = turns();
      return turns != null
          ? call.awaitByTurns(lock, turnWaits, turns, timeout)
          : call.await(lock, condition, timeout);
    } finally {
      release();
    }
  }
}

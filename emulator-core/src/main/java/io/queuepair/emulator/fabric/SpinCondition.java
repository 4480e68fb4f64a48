// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Condition of a lock whose waiters spin once, then block; each checks its own predicate. */
public final class SpinCondition {
  private final ReentrantLock lock;
  private final Condition rung;
  private final AdaptiveSpin spin;

  /** Number of signals. Written under the lock. */
  private volatile int rings;

  /** Number of threads that wait. Guarded by the lock. */
  private int waiters;

  /** Whether a waiting thread spins. Guarded by the lock. */
  private boolean isSpunFor;

  /**
   * Creates a condition without waiters.
   *
   * @param lock lock that is held to wait and to signal
   */
  public SpinCondition(ReentrantLock lock) {
    this(lock, new AdaptiveSpin());
  }

  /** Constructor for tests. */
  SpinCondition(ReentrantLock lock, AdaptiveSpin spin) {
    this.lock = lock;
    this.rung = lock.newCondition();
    this.spin = spin;
  }

  /**
   * Signals all waiting threads. The caller holds the lock.
   *
   * @return whether a thread waited
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // The lock is held.
  public boolean signal() {
    rings++;
    rung.signalAll();
    return waiters > 0;
  }

  /**
   * Spins for a short while until a signal, if that is likely to help and no other thread spins.
   * The caller holds the lock exactly once; it is free meanwhile.
   *
   * @param nanos maximum time in nanoseconds
   * @return what is left of that time
   */
  public long spin(long nanos) {
    assert lock.getHoldCount() == 1 : "the lock would not be free";
    if (isSpunFor || !spin.areWorthSpinning()) {
      return nanos;
    }
    long beganNanos = System.nanoTime();
    int heard = rings;
    waiters++;
    isSpunFor = true;
    lock.unlock();
    try {
      spin.spin(() -> rings != heard, nanos);
    } finally {
      lock.lock();
      isSpunFor = false;
      waiters--;
    }
    return nanos - (System.nanoTime() - beganNanos);
  }

  /**
   * Sleeps until a signal. The caller holds the lock, which is free meanwhile.
   *
   * @param nanos maximum time in nanoseconds
   * @return what is left of that time; the wake-up may be spurious
   * @throws InterruptedException if the thread is interrupted
   */
  @SuppressWarnings("WaitNotInLoop") // The caller knows what it waits for, and has the loop.
  public long sleep(long nanos) throws InterruptedException {
    waiters++;
    try {
      long leftNanos = rung.awaitNanos(nanos);
      spin.slept(nanos - leftNanos);
      return leftNanos;
    } finally {
      waiters--;
    }
  }
}

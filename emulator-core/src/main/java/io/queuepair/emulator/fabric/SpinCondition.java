// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A condition of a lock whose waiters spin once before they block, and check what they wait for
 * each time.
 */
public final class SpinCondition {
  private final ReentrantLock lock;
  private final Condition rung;
  private final AdaptiveSpin spin;

  /** Written under the lock. */
  private volatile int rings;

  /** Threads that wait. Guarded by the lock. */
  private int waiters;

  /** Whether one of them spins. Guarded by the lock. */
  private boolean isSpunFor;

  /**
   * No thread waits yet.
   *
   * @param lock under which threads wait and ring
   */
  public SpinCondition(ReentrantLock lock) {
    this(lock, new AdaptiveSpin());
  }

  /** For tests. */
  SpinCondition(ReentrantLock lock, AdaptiveSpin spin) {
    this.lock = lock;
    this.rung = lock.newCondition();
    this.spin = spin;
  }

  /**
   * Ends the waits of all. The caller holds the lock.
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
   * Spins until it rings, for a short while, if that is likely to help and no other thread does.
   * The caller holds the lock, once; it is free meanwhile.
   *
   * @param nanos how long at most
   * @return what is left of that
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
   * Sleeps until it rings. The caller holds the lock, which is free meanwhile.
   *
   * @param nanos how long at most
   * @return what is left of that; it may have woken up for no reason
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

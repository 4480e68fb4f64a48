package io.queuepair.emulator.fabric;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets threads wait under a lock until another one rings. The first of them spins before it sleeps,
 * if its waits are short.
 */
public final class Bell {
  private final ReentrantLock lock;
  private final Condition rung;

  /** Of the first that waits. */
  private final ShortWaits waits;

  /** Written under the lock. */
  private volatile int rings;

  /** Threads that wait. Guarded by the lock. */
  private int waiters;

  /**
   * Nobody waits yet.
   *
   * @param lock under which threads wait and ring
   */
  public Bell(ReentrantLock lock) {
    this(lock, new ShortWaits());
  }

  /** For tests. */
  Bell(ReentrantLock lock, ShortWaits waits) {
    this.lock = lock;
    this.rung = lock.newCondition();
    this.waits = waits;
  }

  /**
   * Ends the waits of all. The caller holds the lock.
   *
   * @return whether a thread waited
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // The lock is held.
  public boolean ring() {
    rings++;
    rung.signalAll();
    return waiters > 0;
  }

  /**
   * Waits until it rings. The caller holds the lock, once; it is free meanwhile.
   *
   * @param nanos how long at most
   * @return what is left of that; 0 or less if it has not rung
   * @throws InterruptedException if the thread is interrupted
   */
  public long await(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(); // Who only spins would not notice.
    }
    int heard = rings;
    boolean isFirst = waiters == 0;
    waiters++;
    try {
      long leftNanos = isFirst ? spin(heard, nanos) : nanos;
      while (rings == heard && leftNanos > 0) {
        leftNanos = rung.awaitNanos(leftNanos);
      }
      if (isFirst) {
        waits.woke();
      }
      return leftNanos;
    } finally {
      waiters--;
    }
  }

  /** Lets go of the lock for a while; returns what is left of the time. */
  private long spin(int heard, long nanos) {
    long beganNanos = System.nanoTime();
    lock.unlock();
    try {
      waits.spin(() -> rings != heard, nanos);
    } finally {
      lock.lock();
    }
    return nanos - (System.nanoTime() - beganNanos);
  }
}

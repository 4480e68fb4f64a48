// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is unfair for a millisecond. A thread that finds it free takes it, even if others
 * wait. Once a waiting thread has been overtaken for a millisecond, further threads queue. Without
 * that, a thread that takes the lock repeatedly, such as the thread of a network, starves others.
 * {@code sync.Mutex} of Go does the same.
 */
final class EventuallyFairLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /** Value of Go: longer than the lock is held, shorter than a retransmission timeout. */
  private static final long OVERTAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long overtakingNanos;

  /** Whether a waiting thread was overtaken. Guarded by the lock. */
  private boolean isOvertaken;

  /** Time of the first overtaking, by {@link System#nanoTime}. Guarded by the lock. */
  private long overtakenSinceNanos;

  /** Whether the next thread has to queue. Written under the lock. */
  private volatile boolean mustQueue;

  public EventuallyFairLock() {
    this(OVERTAKING_NANOS);
  }

  /**
   * Creates a lock with another limit, for tests.
   *
   * @param overtakingNanos how long waiting threads may be overtaken
   */
  public EventuallyFairLock(long overtakingNanos) {
    super(true);
    this.overtakingNanos = overtakingNanos;
  }

  @Override
  public void lock() {
    if (!mustQueue && tryLock()) {
      noteOvertaking();
    } else {
      super.lock();
      isOvertaken = false;
      mustQueue = false;
    }
  }

  private void noteOvertaking() {
    if (!hasQueuedThreads()) {
      isOvertaken = false;
      return;
    }
    long nowNanos = System.nanoTime();
    if (!isOvertaken) {
      isOvertaken = true;
      overtakenSinceNanos = nowNanos;
    } else if (nowNanos - overtakenSinceNanos >= overtakingNanos) {
      mustQueue = true;
    }
  }
}

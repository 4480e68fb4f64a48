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

  /** As in Go: long beside what the lock is held for, short beside a retransmission. */
  private static final long OVERTAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long overtakingNanos;

  /** Whether a thread that waits was overtaken. Guarded by the lock. */
  private boolean isOvertaken;

  /** Since when, if one was. Guarded by the lock. */
  private long overtakenSinceNanos;

  /** Whether the next thread has to queue. Written under the lock. */
  private volatile boolean mustQueue;

  public EventuallyFairLock() {
    this(OVERTAKING_NANOS);
  }

  /**
   * For tests.
   *
   * @param overtakingNanos how long threads that wait may be overtaken
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

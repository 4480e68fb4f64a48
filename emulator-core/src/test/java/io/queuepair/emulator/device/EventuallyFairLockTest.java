// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventuallyFairLockTest {
  /** Whether the thread that waits has had the lock. Guarded by the lock. */
  private boolean hadIt;

  @Test
  void queuesBehindOneThatWasOvertakenForLong() throws Exception {
    EventuallyFairLock lock = new EventuallyFairLock(0);
    FutureTask<Void> waiter = beginToWaitFor(lock);

    // Overtakes, notices that it has done so for long, and has to queue.
    for (int i = 0; i < 3; i++) {
      lock.unlock();
      lock.lock();
    }

    assertThat(hadIt).isTrue();
    lock.unlock();
    waiter.get();
  }

  @Test
  void isReentrantAlsoWhenTheNextHasToQueue() throws Exception {
    EventuallyFairLock lock = new EventuallyFairLock(0);
    FutureTask<Void> waiter = beginToWaitFor(lock);
    for (int i = 0; i < 2; i++) {
      lock.unlock();
      lock.lock();
    }

    lock.lock();
    try {
      assertThat(lock.getHoldCount()).isEqualTo(2);
    } finally {
      lock.unlock();
    }

    lock.unlock();
    waiter.get();
  }

  /** Takes the lock, and lets another thread wait for it. */
  private FutureTask<Void> beginToWaitFor(EventuallyFairLock lock) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              lock.lock();
              try {
                hadIt = true;
              } finally {
                lock.unlock();
              }
            },
            null);
    lock.lock();
    Thread thread = new Thread(task, "waiter");
    thread.start();
    while (!lock.hasQueuedThread(thread)) {
      Thread.onSpinWait();
    }
    return task;
  }
}

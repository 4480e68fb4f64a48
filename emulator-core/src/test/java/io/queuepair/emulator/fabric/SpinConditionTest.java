// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinConditionTest {
  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();

  /** Stands still, so that who spins does so for ever, unless this is moved. */
  private final AtomicLong nowNanos = new AtomicLong();

  private final AdaptiveSpin waits = new AdaptiveSpin(nowNanos::get, 2);
  private final SpinCondition condition = new SpinCondition(lock, waits);

  @Test
  void endsTheWaitsOfAllWhoSleep() throws Exception {
    Future<Long> first = begin(() -> condition.sleep(LONG_NANOS));
    Future<Long> second = begin(() -> condition.sleep(LONG_NANOS));

    assertThat(ring()).isTrue();
    assertThat(first.get()).isPositive();
    assertThat(second.get()).isPositive();
    assertThat(ring()).as("no thread waits").isFalse();
  }

  @Test
  void endsTheWaitOfWhoSpins() throws Exception {
    waits.slept(0);
    Future<Long> spinner = begin(() -> condition.spin(LONG_NANOS));

    assertThat(ring()).isTrue();
    assertThat(spinner.get()).isPositive();
    assertThat(ring()).as("no thread waits").isFalse();
  }

  @Test
  void whoSpinsGivesUpWhenTheWaitIsNotShort() throws Exception {
    waits.slept(0);
    Future<Long> spinner = begin(() -> condition.spin(LONG_NANOS));

    assertThat(giveUp(spinner)).isLessThan(LONG_NANOS);
  }

  @Test
  void oneSpinsAtATime() throws Exception {
    waits.slept(0);
    Future<Long> spinner = begin(() -> condition.spin(LONG_NANOS));

    lock.lock();
    try {
      assertThat(condition.spin(LONG_NANOS)).as("at once").isEqualTo(LONG_NANOS);
    } finally {
      lock.unlock();
    }
    ring();
    spinner.get();
    waits.slept(0);
    Future<Long> next = begin(() -> condition.spin(LONG_NANOS));
    assertThat(giveUp(next)).as("the place is free again").isLessThan(LONG_NANOS);
  }

  @Test
  void doesNotSpinWhenWaitsAreLong() {
    waits.slept(LONG_NANOS);

    lock.lock();
    try {
      assertThat(condition.spin(LONG_NANOS)).isEqualTo(LONG_NANOS);
    } finally {
      lock.unlock();
    }
  }

  @Test
  void sleepsNoLongerThanItMay() throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = 1_000;
      while (leftNanos > 0) {
        leftNanos = condition.sleep(leftNanos);
      }
      assertThat(lock.isHeldByCurrentThread()).isTrue();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void aSleeperHearsAnInterrupt() {
    Thread.currentThread().interrupt();

    lock.lock();
    try {
      assertThatThrownBy(() -> condition.sleep(LONG_NANOS))
          .isInstanceOf(InterruptedException.class);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a thread wait; at return it does. */
  private Future<Long> begin(Callable<Long> wait) {
    AtomicBoolean hasBegun = new AtomicBoolean();
    FutureTask<Long> leftNanos = new FutureTask<>(() -> waitUnderLock(wait, hasBegun));
    Thread waiter = new Thread(leftNanos, "waiter");
    waiter.setDaemon(true);
    waiter.start();
    while (!isFreeAgain(hasBegun)) {
      Thread.onSpinWait();
    }
    return leftNanos;
  }

  private long waitUnderLock(Callable<Long> wait, AtomicBoolean hasBegun) throws Exception {
    lock.lock();
    try {
      hasBegun.set(true);
      return wait.call();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a thread that had the lock has let go of it. */
  private boolean isFreeAgain(AtomicBoolean wasTaken) {
    lock.lock();
    try {
      return wasTaken.get();
    } finally {
      lock.unlock();
    }
  }

  /** Lets time pass, which who spins may not have looked at yet. */
  private long giveUp(Future<Long> spinner) throws Exception {
    while (!spinner.isDone()) {
      nowNanos.addAndGet(AdaptiveSpin.LONGEST_NANOS);
      Thread.onSpinWait();
    }
    return spinner.get();
  }

  private boolean ring() {
    lock.lock();
    try {
      return condition.signal();
    } finally {
      lock.unlock();
    }
  }
}

package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BellTest {
  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();

  /** With one processor all sleep at once. */
  private final Bell sleeping = new Bell(lock, new ShortWaits(System::nanoTime, 1));

  private final Set<Thread> spinners = ConcurrentHashMap.newKeySet();

  /** Whose time stands still: who spins, spins for ever. */
  private final Bell spinning = new Bell(lock, endless());

  /** Threads that have begun to wait. Guarded by the lock. */
  private int begun;

  private ShortWaits endless() {
    ShortWaits waits = new ShortWaits(this::standstill, 2);
    waits.woke(); // After no time: that was short.
    spinners.clear();
    return waits;
  }

  private long standstill() {
    spinners.add(Thread.currentThread());
    return 0;
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(lock.isLocked()).isFalse();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void endsTheWaitsOfAllWhoSleep() throws Exception {
    Future<Long> first = begin(sleeping);
    Future<Long> second = begin(sleeping);

    assertThat(ring(sleeping)).isTrue();
    assertThat(first.get()).isPositive();
    assertThat(second.get()).isPositive();
    assertThat(ring(sleeping)).as("nobody is left").isFalse();
  }

  @Test
  void endsTheWaitOfWhoSpins() throws Exception {
    Future<Long> spinner = begin(spinning);

    assertThat(ring(spinning)).isTrue();
    assertThat(spinner.get()).isPositive();
    assertThat(ring(spinning)).as("nobody is left").isFalse();
  }

  @Test
  void onlyTheFirstWhoWaitsSpins() throws Exception {
    Future<Long> first = begin(spinning);
    Future<Long> second = begin(spinning);

    ring(spinning);
    assertThat(first.get()).isPositive();
    assertThat(second.get()).isPositive();
    assertThat(spinners).hasSize(1);
  }

  @Test
  void waitsNoLongerThanItMay() throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = 1_000;
      while (leftNanos > 0) {
        leftNanos = sleeping.await(leftNanos);
      }
      assertThat(lock.isHeldByCurrentThread()).isTrue();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void hearsAnInterrupt() {
    Thread.currentThread().interrupt();

    lock.lock();
    try {
      assertThatThrownBy(() -> spinning.await(LONG_NANOS)).isInstanceOf(InterruptedException.class);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a thread wait for a long time; at return it does. */
  private Future<Long> begin(Bell bell) {
    int before = countBegun();
    FutureTask<Long> leftNanos = new FutureTask<>(() -> await(bell));
    Thread waiter = new Thread(leftNanos, "waiter");
    waiter.setDaemon(true);
    waiter.start();
    while (countBegun() == before) {
      Thread.onSpinWait();
    }
    return leftNanos;
  }

  private long await(Bell bell) throws InterruptedException {
    lock.lock();
    try {
      begun++;
      return bell.await(LONG_NANOS);
    } finally {
      lock.unlock();
    }
  }

  /** Who has begun has let go of the lock, so it waits. */
  private int countBegun() {
    lock.lock();
    try {
      return begun;
    } finally {
      lock.unlock();
    }
  }

  private boolean ring(Bell bell) {
    lock.lock();
    try {
      return bell.ring();
    } finally {
      lock.unlock();
    }
  }
}

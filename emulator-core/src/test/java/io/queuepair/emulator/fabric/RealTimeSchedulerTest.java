// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class RealTimeSchedulerTest {
  private final RealTimeScheduler scheduler = RealTimeScheduler.started();

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void makesProgressInTheBackground() {
    assertThat(scheduler.progressMode()).isEqualTo(ProgressMode.BACKGROUND);
    assertThat(scheduler.virtualNetwork()).isEmpty();
    assertThat(scheduler.runNext()).isFalse();
  }

  @Test
  void timerFiresNotBeforeItsDeadline() {
    CompletableFuture<Long> firedAt = new CompletableFuture<>();
    long deadlineNanos = scheduler.nowNanos() + TimeUnit.MILLISECONDS.toNanos(5);

    scheduler.timer(() -> firedAt.complete(scheduler.nowNanos())).arm(deadlineNanos);

    assertThat(firedAt.join()).isGreaterThanOrEqualTo(deadlineNanos);
  }

  @Test
  void earlierTimerIsNotHeldUpByALaterOne() {
    CompletableFuture<Long> fired = new CompletableFuture<>();
    long later = scheduler.nowNanos() + TimeUnit.HOURS.toNanos(1);
    scheduler.timer(() -> {}).arm(later);

    scheduler.timer(() -> fired.complete(scheduler.nowNanos())).arm(scheduler.nowNanos());

    assertThat(fired.join()).isLessThan(later);
  }

  @Test
  void runsByDeadline() {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Void> last = new CompletableFuture<>();
    CompletableFuture<Void> allArmed = new CompletableFuture<>();
    long now = scheduler.nowNanos();
    scheduler.timer(allArmed::join).arm(now);

    scheduler.timer(() -> last.complete(null)).arm(now + 3);
    scheduler.timer(() -> order.add(2)).arm(now + 2);
    scheduler.timer(() -> order.add(1)).arm(now + 1);
    allArmed.complete(null);
    last.join();

    assertThat(order).containsExactly(1, 2);
  }

  @Test
  void eventThatThrowsDoesNotStopTheThread() {
    CompletableFuture<Void> fired = new CompletableFuture<>();
    scheduler
        .timer(
            () -> {
              throw new IllegalStateException("this failure belongs to the test");
            })
        .arm(0);

    scheduler.timer(() -> fired.complete(null)).arm(1);

    fired.join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eventThatFailsToTakeOverTheNextDoesNotStopTheThread(boolean isError) {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    CompletableFuture<Void> followed = new CompletableFuture<>();
    scheduler.timer(ready::join).arm(0);
    scheduler.schedule(new Greedy(isError), 1);

    scheduler.timer(() -> followed.complete(null)).arm(2);
    ready.complete(null);

    followed.join();
  }

  /** Fails before it is run, as one does that has no memory left for what it takes over. */
  private static final class Greedy extends Event {
    private final boolean isError;

    Greedy(boolean isError) {
      this.isError = isError;
    }

    @Override
    boolean absorb(Event next) {
      if (isError) {
        throw new AssertionError("this error belongs to the test");
      }
      throw new IllegalStateException("this failure belongs to the test");
    }

    @Override
    void run() {}
  }

  @Test
  void interruptDoesNotStopTheThread() {
    CompletableFuture<Thread> interrupted = new CompletableFuture<>();
    CompletableFuture<Thread> fired = new CompletableFuture<>();
    scheduler
        .timer(
            () -> {
              Thread.currentThread().interrupt();
              interrupted.complete(Thread.currentThread());
            })
        .arm(0);

    long later = scheduler.nowNanos() + TimeUnit.MILLISECONDS.toNanos(5);
    scheduler.timer(() -> fired.complete(Thread.currentThread())).arm(later);

    assertThat(fired.join()).isSameAs(interrupted.join());
  }

  private CompletableFuture<Thread> threadOfAnEvent() {
    CompletableFuture<Thread> fired = new CompletableFuture<>();
    scheduler.timer(() -> fired.complete(Thread.currentThread())).arm(scheduler.nowNanos());
    return fired;
  }

  private void borrow() {
    while (!scheduler.tryAcquire()) {
      Thread.onSpinWait(); // Its own thread may have an event.
    }
  }

  @Test
  void callerRunsEventsInPlaceOfTheThread() {
    borrow();
    CompletableFuture<Thread> fired = threadOfAnEvent();

    scheduler.runUntil(Long.MAX_VALUE);

    assertThat(fired).isCompletedWithValue(Thread.currentThread());
    assertThat(CompletableFuture.supplyAsync(scheduler::tryAcquire).join()).isFalse();
    scheduler.release();
  }

  @Test
  void threadContinuesIfCallersDoNot() {
    borrow();
    scheduler.release();

    assertThat(threadOfAnEvent().join().getName()).isEqualTo("queuepair-fabric");
  }

  @Test
  void threadContinuesWhenACallerReturnsWhileAnotherSleeps() {
    borrow();
    CompletableFuture<Thread> fired = threadOfAnEvent();
    scheduler.beforeBlock();

    scheduler.release();

    assertThat(fired.join().getName()).isEqualTo("queuepair-fabric");
    scheduler.afterBlock();
  }

  @Test
  void newsEndTheWaitOfTheCallerWhoRunsEvents() {
    borrow();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    CompletableFuture<Void> news =
        CompletableFuture.runAsync(
            () -> {
              while (!ended.isDone()) {
                scheduler.notifyRunner(true);
              }
            });

    scheduler.runUntil(scheduler.nowNanos() + TimeUnit.MINUTES.toNanos(1)); // Spins,
    scheduler.runUntil(scheduler.nowNanos() + TimeUnit.MINUTES.toNanos(1)); // and sleeps.

    ended.complete(null);
    news.join();
    scheduler.release();
  }

  @Test
  void eventOfACallerMayFail() {
    borrow();
    scheduler
        .timer(
            () -> {
              throw new IllegalStateException("this failure belongs to the test");
            })
        .arm(0);

    scheduler.runUntil(Long.MAX_VALUE);

    scheduler.release();
    assertThat(threadOfAnEvent()).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void pollRunsWhatIsReady() {
    borrow();
    CompletableFuture<Thread> fired = threadOfAnEvent();
    assertThat(scheduler.runReady()).as("in place of who runs events").isFalse();
    scheduler.release();

    while (!fired.isDone()) {
      scheduler.runReady();
    }

    assertThat(scheduler.runReady()).isFalse();
  }

  @Test
  void pollRunsAllThatIsReady() {
    CompletableFuture<Thread> first;
    CompletableFuture<Thread> second;
    do {
      borrow();
      first = threadOfAnEvent();
      second = threadOfAnEvent();
      scheduler.release();
      scheduler.runReady();
    } while (first.join() != Thread.currentThread()); // Its own thread was earlier.

    assertThat(second).isCompletedWithValue(Thread.currentThread());
  }

  @Test
  void severalThreadsMaySchedule() throws InterruptedException {
    CountDownLatch fired = new CountDownLatch(4 * 1_000);
    Runnable armMany =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            scheduler.timer(fired::countDown).arm(scheduler.nowNanos());
          }
        };

    CompletableFuture<?>[] threads = new CompletableFuture<?>[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = CompletableFuture.runAsync(armMany);
    }
    CompletableFuture.allOf(threads).join();

    assertThat(fired.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void threadIsADaemonAndEndsWithClose() {
    CompletableFuture<Thread> runner = new CompletableFuture<>();
    scheduler.timer(() -> runner.complete(Thread.currentThread())).arm(0);
    Thread thread = runner.join();

    scheduler.close();

    assertThat(thread.getName()).isEqualTo("queuepair-fabric");
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void eventMayCloseTheScheduler() throws InterruptedException {
    CompletableFuture<Thread> closed = new CompletableFuture<>();

    scheduler
        .timer(
            () -> {
              scheduler.close();
              closed.complete(Thread.currentThread());
            })
        .arm(0);

    Thread thread = closed.join();
    thread.join();
    assertThat(thread.isAlive()).isFalse();
  }
}

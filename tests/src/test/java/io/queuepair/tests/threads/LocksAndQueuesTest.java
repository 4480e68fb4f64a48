// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.threads.ApplicationThread;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks, queues and futures by which threads wait for each other, as the emulator sees it. */
@Timeout(60)
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop", "JavaUtilDate"}) // Tests unusual calls.
final class LocksAndQueuesTest {
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Lock lock = emulator.threads().strict().lock("lock");
  private final BlockingQueue<Integer> queue = emulator.threads().queue("work", 2);

  private interface Interruptible {
    void run() throws InterruptedException;
  }

  private static Runnable body(Interruptible body) {
    return () -> {
      try {
        body.run();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException("interrupted", interrupted);
      }
    };
  }

  private ApplicationThread start(String name, Interruptible body) {
    return emulator.start(name, body(body));
  }

  private void sleepMillis(long millis) {
    emulator.sleep(Duration.ofMillis(millis));
  }

  private void assertNow(long millis) {
    assertThat(emulator.now()).isEqualTo(Duration.ofMillis(millis));
  }

  private void logWhatIsThrown(Interruptible body) {
    Throwable thrown = catchThrowable(body::run);
    log.add(thrown.getClass().getSimpleName() + " " + Thread.currentThread().isInterrupted());
  }

  @Test
  void aLockThatIsHeldKeepsOthersOutWhileItsHolderWaits() {
    for (String name : List.of("one", "two")) {
      start(
          name,
          () -> {
            lock.lock();
            lock.lock();
            log.add(name + " in");
            sleepMillis(1);
            lock.unlock();
            sleepMillis(1);
            log.add(name + " out at " + emulator.now().toMillis());
            lock.unlock();
          });
    }
    emulator.threads().join();

    assertThat(log).containsExactly("one in", "one out at 2", "two in", "two out at 4");
  }

  private static String orderUnder(Schedule schedule) {
    List<String> order = new ArrayList<>();
    try (Emulator emulator = Emulator.inMemory()) {
      emulator.threads().schedule(schedule).strict();
      Lock lock = emulator.threads().lock("lock");
      BlockingQueue<String> queue = emulator.threads().queue("queue");
      for (String name : List.of("a", "b", "c")) {
        emulator.start(
            name,
            body(
                () -> {
                  lock.lock();
                  emulator.sleep(MILLISECOND);
                  queue.put(name);
                  lock.unlock();
                }));
        emulator.start("taker of " + name, body(() -> order.add(queue.take() + name)));
      }
      emulator.threads().join();
      assertThat(emulator.threads().nonDeterminism()).isEmpty();
    }
    return order.toString();
  }

  @Test
  void whoIsNextIsAMatterOfTheSchedule() {
    Set<String> orders = new HashSet<>();
    for (int seed = 1; seed <= 50; seed++) {
      String order = orderUnder(Schedule.random(seed));
      orders.add(order);
      assertThat(orderUnder(Schedule.random(seed))).isEqualTo(order);
    }

    assertThat(orderUnder(Schedule.fifo())).isEqualTo("[aa, bb, cc]");
    assertThat(orders).hasSizeGreaterThan(5);
  }

  private void takeBoth(String name, Lock one, Lock other) {
    start(
        name,
        () -> {
          one.lock();
          sleepMillis(1);
          other.lock();
        });
  }

  @Test
  void aDeadlockNamesEachLockAndItsHolder() {
    Lock first = emulator.threads().lock("accounts");
    Lock second = emulator.threads().lock("journal");
    takeBoth("clerk", first, second);
    takeBoth("auditor", second, first);
    String clerk = "thread clerk waits in lock for lock journal (held by thread auditor)";
    String auditor = "thread auditor waits in lock for lock accounts (held by thread clerk)";

    assertThatThrownBy(() -> emulator.threads().join())
        .isInstanceOfSatisfying(
            VerbsException.class, met -> assertThat(met.errno()).isEqualTo(Errno.EDEADLK))
        .hasMessageContainingAll(clerk, auditor, "at " + LocksAndQueuesTest.class.getName());
    assertThat(emulator.report().lines()).containsExactly(clerk, auditor);
  }

  @Test
  void aThreadAloneThatWaitsForNothingIsRefused() throws InterruptedException {
    assertThatThrownBy(queue::take)
        .hasMessageContaining("take: EDEADLK")
        .hasMessageContaining("an element of queue work (0 of 2 elements)");
    queue.put(1);
    queue.put(2);
    assertThatThrownBy(() -> queue.put(3))
        .hasMessageContaining("put: EDEADLK")
        .hasMessageContaining("room in queue work (2 of 2 elements)");
    assertThatThrownBy(() -> emulator.threads().await(new CompletableFuture<>()))
        .hasMessageContaining("await: EDEADLK")
        .hasMessageContaining("the completion of a future");
  }

  /** Waits in a condition without a signal. */
  private static void awaitNothing(Lock lock) throws InterruptedException {
    lock.lock();
    try {
      lock.newCondition().await();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void whatAWaitInAConditionThrowsIsNotReplacedByAComplaintAboutTheLock() {
    ApplicationThread waiter = start("waiter", () -> awaitNothing(lock));
    sleepMillis(1);
    lock.lock();

    assertThatThrownBy(waiter::join)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining("waits in await for a signal of a condition of lock lock");
    assertThatCode(emulator::close).as("the waiter ends with ENODEV").doesNotThrowAnyException();
  }

  @Test
  void timesAreThoseOfTheNetwork() throws InterruptedException {
    Condition condition = lock.newCondition();
    start(
        "holder",
        () -> {
          lock.lock();
          sleepMillis(5);
          lock.unlock();
        });
    sleepMillis(1);
    assertThat(lock.tryLock(2, TimeUnit.MILLISECONDS)).isFalse();
    assertNow(3);
    assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
    assertNow(5);
    assertThat(condition.await(1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(condition.awaitNanos(1_000_000)).isZero();
    assertNow(7);
    assertThat(queue.poll()).isNull();
    assertThat(queue.poll(1, TimeUnit.MILLISECONDS)).isNull();
    queue.addAll(List.of(1, 2));
    assertThat(queue.offer(3)).isFalse();
    assertThat(queue.offer(3, 1, TimeUnit.MILLISECONDS)).isFalse();
    assertNow(9);
    assertThat(emulator.threads().await(new CompletableFuture<>(), MILLISECOND)).isFalse();
    assertNow(10);
    assertThatThrownBy(() -> condition.awaitUntil(new Date(0)))
        .hasMessageContaining("use awaitNanos");
  }

  /** As a loop of polls of a completion queue: or else it would keep all others from going on. */
  @Test
  void aLoopThatLooksLetsOthersAndTheNetworkGoOn() {
    start(
        "other",
        () -> {
          lock.lock();
          sleepMillis(1);
          lock.unlock();
          sleepMillis(1);
          queue.add(1);
          sleepMillis(1);
          queue.clear();
        });
    emulator.sleep(Duration.ofNanos(1));
    while (!lock.tryLock()) {
      log.add("held");
    }
    assertNow(1);
    while (queue.poll() == null) {
      log.add("empty");
    }
    assertNow(2);
    queue.addAll(List.of(2, 3));
    while (!queue.offer(4)) {
      log.add("full");
    }
    assertNow(3);
  }

  @Test
  void aSignalReachesTheOneThatHasWaitedForLongest() {
    Condition condition = lock.newCondition();
    for (String name : List.of("one", "two", "three")) {
      start(
          name,
          () -> {
            lock.lock();
            condition.await();
            log.add(name + " at " + emulator.now().toMillis());
            lock.unlock();
          });
    }
    sleepMillis(1);
    lock.lock();
    condition.signal();
    sleepMillis(1);
    lock.unlock();
    sleepMillis(1);
    lock.lock();
    condition.signalAll();
    lock.unlock();
    emulator.threads().join();

    assertThat(log).containsExactly("one at 2", "two at 3", "three at 3");
  }

  @Test
  void anInterruptEndsWhatItEndsInJava() {
    lock.lock();
    List<ApplicationThread> threads =
        List.of(
            start("locks", () -> logWhatIsThrown(lock::lockInterruptibly)),
            start("takes", () -> logWhatIsThrown(queue::take)),
            start("awaits", () -> logWhatIsThrown(() -> awaitNothing(emulator.threads().lock("")))),
            start(
                "awaits a future",
                () -> logWhatIsThrown(() -> emulator.threads().await(new CompletableFuture<>()))),
            start(
                "is not interruptible",
                () -> {
                  lock.lock();
                  log.add("locked " + Thread.currentThread().isInterrupted());
                  lock.unlock();
                }));
    sleepMillis(1);
    threads.forEach(ApplicationThread::interrupt);
    sleepMillis(1);
    lock.unlock();
    emulator.threads().join();
    Thread.currentThread().interrupt();
    logWhatIsThrown(() -> queue.put(1));

    assertThatThrownBy(() -> lock.newCondition().signal())
        .isInstanceOf(IllegalMonitorStateException.class);
    assertThat(log)
        .containsExactly(
            "InterruptedException false",
            "InterruptedException false",
            "InterruptedException false",
            "VerbsException true",
            "locked true",
            "InterruptedException false");
  }

  @Test
  void aFutureEndsAsJoinDoes() {
    CompletableFuture<String> result = new CompletableFuture<>();
    CompletableFuture<String> failing = new CompletableFuture<>();
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);
    start(
        "worker",
        () -> {
          sleepMillis(1);
          result.complete("done");
          failing.completeExceptionally(new IllegalStateException("out of slots"));
        });

    String awaited = emulator.threads().await(result.thenApply(text -> text + " at last"));
    assertThat(awaited).isEqualTo("done at last");
    assertNow(1);
    assertThat(emulator.threads().await(failing, Duration.ZERO)).isTrue();
    assertThatThrownBy(() -> emulator.threads().await(failing))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("out of slots");
    assertThatThrownBy(() -> emulator.threads().await(cancelled))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void aQueueIsOneOfJava() throws InterruptedException {
    BlockingQueue<Integer> four = emulator.threads().queue("four", 4);
    assertThat(four.addAll(List.of(1, 2, 3))).isTrue();
    assertThat(four).containsExactly(1, 2, 3);
    assertThat(four.remainingCapacity()).isEqualTo(1);
    assertThat(four.peek()).isEqualTo(1);
    assertThat(four.remove(2)).isTrue();
    assertThat(four.remove(2)).isFalse();
    four.put(4);
    four.put(5);
    assertThatThrownBy(() -> four.add(6)).hasMessage("Queue full");
    List<Integer> drained = new ArrayList<>();
    assertThat(four.drainTo(drained, 2)).isEqualTo(2);
    assertThat(drained).containsExactly(1, 3);
    assertThat(four.take()).isEqualTo(4);
    four.clear();
    assertThat(four).isEmpty();
    assertThatThrownBy(() -> emulator.threads().queue("none", 0)).hasMessageContaining("1");
  }

  @Test
  void whoPutsWaitsForRoom() {
    start(
        "producer",
        () -> {
          for (int i = 1; i <= 4; i++) {
            queue.put(i);
            log.add("put " + i);
          }
        });
    start(
        "consumer",
        () -> {
          for (int i = 1; i <= 4; i++) {
            log.add("take " + queue.take());
          }
        });
    emulator.threads().join();

    assertThat(String.join(", ", log))
        .isEqualTo("put 1, put 2, take 1, take 2, put 3, put 4, take 3, take 4");
  }

  @Test
  void aThreadOfAnotherOriginIsRefused() {
    try (Emulator lenient = Emulator.inMemory()) {
      Lock own = lenient.threads().lock("lock");
      lenient.start(
          "starter",
          () -> {
            new Thread(() -> logWhatIsThrown(own::lock), "foreign").start();
            while (log.isEmpty()) {
              Thread.onSpinWait();
            }
          });
      lenient.threads().join();
    }

    assertThat(log).containsExactly("VerbsException false");
  }

  @Test
  void closeEndsTheWaitsOfAllThreadsInRealTimeToo() {
    for (Emulator each : List.of(Emulator.inMemory(), Emulator.on(InMemoryFabric.realTime()))) {
      BlockingQueue<Integer> own = each.threads().queue("work");
      each.start("takes", body(own::take));
      each.start("awaits a future", () -> each.threads().await(new CompletableFuture<>()));
      each.start("awaits", body(() -> awaitNothing(each.threads().lock("lock"))));
      while (each.threads().describeWaits().size() < 3) {
        each.sleep(MILLISECOND);
      }

      assertThatCode(each::close).doesNotThrowAnyException();

      assertThat(each.threads().describeWaits()).isEmpty();
      assertThatThrownBy(own::take).hasMessageContaining("ENODEV");
    }
  }

  @Test
  void inRealTimeTheyAreOrdinaryOnes() throws InterruptedException {
    int[] count = new int[1];
    try (Emulator real = Emulator.on(InMemoryFabric.realTime())) {
      Lock own = real.threads().lock("lock");
      Condition changed = own.newCondition();
      BlockingQueue<Integer> eight = real.threads().queue("work", 8);
      Interruptible work =
          () -> {
            for (int i = 0; i < 5_000; i++) {
              int each = eight.take();
              own.lock();
              count[0] += each;
              changed.signalAll();
              own.unlock();
            }
          };
      real.start("one", body(work));
      real.start("two", body(work));
      for (int i = 0; i < 10_000; i++) {
        eight.put(1);
      }
      own.lock();
      while (count[0] < 10_000) {
        changed.await();
      }
      own.unlock();
      real.threads().join();

      assertThat(own.tryLock(1, TimeUnit.MILLISECONDS)).isTrue();
      real.start("third", () -> log.add("third " + own.tryLock())).join();
    }
    assertThat(count[0]).isEqualTo(10_000);
    assertThat(log).containsExactly("third false");
  }
}

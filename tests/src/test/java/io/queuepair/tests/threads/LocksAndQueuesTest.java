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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks, queues and futures by which threads wait for each other, as the emulator sees it. */
@Timeout(60)
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop", "JavaUtilDate"}) // Tests unusual calls.
final class LocksAndQueuesTest {
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

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

  private void logWhatIsThrown(Interruptible body) {
    Throwable thrown = catchThrowable(body::run);
    log.add(thrown.getClass().getSimpleName() + " " + Thread.currentThread().isInterrupted());
  }

  private static Emulator strict() {
    Emulator emulator = Emulator.inMemory();
    emulator.threads().strict();
    return emulator;
  }

  @Test
  void aLockThatIsHeldKeepsOthersOutWhileItsHolderWaits() {
    try (Emulator emulator = strict()) {
      Lock lock = emulator.threads().lock("lock");
      for (String name : List.of("one", "two")) {
        emulator.start(
            name,
            () -> {
              lock.lock();
              lock.lock();
              log.add(name + " in");
              emulator.sleep(MILLISECOND);
              lock.unlock();
              emulator.sleep(MILLISECOND);
              log.add(name + " out at " + emulator.now().toMillis());
              lock.unlock();
            });
      }
      emulator.threads().join();
    }

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

  @Test
  void anUncontendedLockIsAPlaceToHandOn() {
    Set<List<String>> logs = new HashSet<>();

    for (int seed = 1; seed <= 50; seed++) {
      int[] count = new int[1];
      try (Emulator emulator = Emulator.inMemory()) {
        emulator.threads().schedule(Schedule.random(seed));
        Lock lock = emulator.threads().lock("lock");
        Runnable increment =
            () -> {
              lock.lock();
              int before = count[0];
              lock.unlock();
              lock.lock();
              count[0] = before + 1;
              lock.unlock();
            };
        emulator.start("one", increment);
        emulator.start("two", increment);
        emulator.threads().join();
      }
      logs.add(List.of("count " + count[0]));
    }

    assertThat(logs).containsExactlyInAnyOrder(List.of("count 1"), List.of("count 2"));
  }

  @Test
  void aDeadlockNamesEachLockAndItsHolder() {
    Emulator emulator = strict();
    Lock first = emulator.threads().lock("accounts");
    Lock second = emulator.threads().lock("journal");
    takeBoth(emulator, "clerk", first, second);
    takeBoth(emulator, "auditor", second, first);

    assertThatThrownBy(() -> emulator.threads().join())
        .isInstanceOfSatisfying(
            VerbsException.class, met -> assertThat(met.errno()).isEqualTo(Errno.EDEADLK))
        .hasMessageContaining(
            "thread clerk waits in lock for lock journal (held by thread auditor)")
        .hasMessageContaining(
            "thread auditor waits in lock for lock accounts (held by thread clerk)")
        .hasMessageContaining("at " + LocksAndQueuesTest.class.getName());
    assertThat(emulator.report().lines())
        .containsExactly(
            "thread clerk waits in lock for lock journal (held by thread auditor)",
            "thread auditor waits in lock for lock accounts (held by thread clerk)");
    emulator.close();
  }

  private static void takeBoth(Emulator emulator, String name, Lock one, Lock other) {
    emulator.start(
        name,
        () -> {
          one.lock();
          emulator.sleep(MILLISECOND);
          other.lock();
        });
  }

  @Test
  void aThreadAloneThatWaitsForNothingIsRefused() throws InterruptedException {
    try (Emulator emulator = Emulator.inMemory()) {
      BlockingQueue<Integer> queue = emulator.threads().queue("work", 1);
      assertThatThrownBy(queue::take)
          .hasMessageContaining("take: EDEADLK")
          .hasMessageContaining("an element of queue work (0 of 1 elements)");
      queue.put(1);
      assertThatThrownBy(() -> queue.put(2))
          .hasMessageContaining("put: EDEADLK")
          .hasMessageContaining("room in queue work (1 of 1 elements)");
      assertThatThrownBy(() -> emulator.threads().await(new CompletableFuture<>()))
          .hasMessageContaining("await: EDEADLK")
          .hasMessageContaining("the completion of a future");
    }
  }

  @Test
  void whatAWaitInAConditionThrowsIsNotReplacedByAComplaintAboutTheLock() {
    Emulator emulator = strict();
    Lock lock = emulator.threads().lock("lock");
    Condition never = lock.newCondition();
    ApplicationThread waiter =
        emulator.start(
            "waiter",
            body(
                () -> {
                  lock.lock();
                  try {
                    never.await();
                  } finally {
                    lock.unlock();
                  }
                }));
    emulator.sleep(MILLISECOND);
    lock.lock();

    assertThatThrownBy(waiter::join)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining("waits in await for a signal of a condition of lock lock");
    assertThatCode(emulator::close).as("the waiter ends with ENODEV").doesNotThrowAnyException();
  }

  @Test
  void timesAreThoseOfTheNetwork() throws InterruptedException {
    try (Emulator emulator = strict()) {
      Lock lock = emulator.threads().lock("lock");
      Condition condition = lock.newCondition();
      BlockingQueue<Integer> queue = emulator.threads().queue("work", 1);
      emulator.start(
          "holder",
          () -> {
            lock.lock();
            emulator.sleep(Duration.ofMillis(5));
            lock.unlock();
          });
      emulator.sleep(MILLISECOND);

      assertThat(lock.tryLock(2, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(3));
      assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(5));
      assertThat(condition.await(1, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(condition.awaitNanos(1_000_000)).isZero();
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(7));
      assertThat(queue.poll()).isNull();
      assertThat(queue.poll(1, TimeUnit.MILLISECONDS)).isNull();
      assertThat(queue.offer(1)).isTrue();
      assertThat(queue.offer(2)).isFalse();
      assertThat(queue.offer(2, 1, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(9));
      assertThat(emulator.threads().await(new CompletableFuture<>(), MILLISECOND)).isFalse();
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(10));
      assertThatThrownBy(() -> condition.awaitUntil(new Date(0)))
          .hasMessageContaining("use awaitNanos");
    }
  }

  /** As a loop of polls of a completion queue: or else it would keep all others from going on. */
  @Test
  void aLoopThatLooksLetsOthersAndTheNetworkGoOn() {
    try (Emulator emulator = strict()) {
      Lock lock = emulator.threads().lock("lock");
      BlockingQueue<Integer> queue = emulator.threads().queue("work", 1);
      emulator.start(
          "other",
          () -> {
            lock.lock();
            emulator.sleep(MILLISECOND);
            lock.unlock();
            emulator.sleep(MILLISECOND);
            queue.add(1);
            emulator.sleep(MILLISECOND);
            queue.clear();
          });
      emulator.sleep(Duration.ofNanos(1));
      while (!lock.tryLock()) {
        log.add("held");
      }
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(1));
      while (queue.poll() == null) {
        log.add("empty");
      }
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(2));
      assertThat(queue.offer(2)).isTrue();
      while (!queue.offer(3)) {
        log.add("full");
      }
      assertThat(emulator.now()).isEqualTo(Duration.ofMillis(3));
      queue.clear();
    }
  }

  @Test
  void aSignalReachesTheOneThatHasWaitedForLongest() {
    try (Emulator emulator = strict()) {
      Lock lock = emulator.threads().lock("lock");
      Condition condition = lock.newCondition();
      for (String name : List.of("one", "two", "three")) {
        emulator.start(
            name,
            body(
                () -> {
                  lock.lock();
                  condition.await();
                  log.add(name + " at " + emulator.now().toMillis());
                  lock.unlock();
                }));
      }
      emulator.sleep(MILLISECOND);
      lock.lock();
      condition.signal();
      emulator.sleep(MILLISECOND);
      lock.unlock();
      emulator.sleep(MILLISECOND);
      lock.lock();
      condition.signalAll();
      lock.unlock();
      emulator.threads().join();
    }

    assertThat(log).containsExactly("one at 2", "two at 3", "three at 3");
  }

  @Test
  void anInterruptEndsWhatItEndsInJava() {
    try (Emulator emulator = strict()) {
      Lock lock = emulator.threads().lock("lock");
      Condition condition = lock.newCondition();
      BlockingQueue<Integer> queue = emulator.threads().queue("work");
      lock.lock();
      Interruptible await =
          () -> {
            Lock own = emulator.threads().lock("own");
            own.lock();
            try {
              own.newCondition().await();
            } finally {
              own.unlock();
            }
          };
      List<ApplicationThread> threads =
          List.of(
              emulator.start("locks", () -> logWhatIsThrown(lock::lockInterruptibly)),
              emulator.start("takes", () -> logWhatIsThrown(queue::take)),
              emulator.start("awaits", () -> logWhatIsThrown(await)),
              emulator.start(
                  "awaits a future",
                  () -> logWhatIsThrown(() -> emulator.threads().await(new CompletableFuture<>()))),
              emulator.start(
                  "is not interruptible",
                  () -> {
                    lock.lock();
                    log.add("locked " + Thread.currentThread().isInterrupted());
                    lock.unlock();
                  }));
      emulator.sleep(MILLISECOND);
      threads.forEach(ApplicationThread::interrupt);
      emulator.sleep(MILLISECOND);
      lock.unlock();
      emulator.threads().join();
      Thread.currentThread().interrupt();
      logWhatIsThrown(() -> queue.put(1));
      assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
    }

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
    try (Emulator emulator = strict()) {
      CompletableFuture<String> result = new CompletableFuture<>();
      CompletableFuture<String> failing = new CompletableFuture<>();
      emulator.start(
          "worker",
          () -> {
            emulator.sleep(MILLISECOND);
            result.complete("done");
            failing.completeExceptionally(new IllegalStateException("out of slots"));
          });

      String awaited = emulator.threads().await(result.thenApply(text -> text + " at last"));
      assertThat(awaited).isEqualTo("done at last");
      assertThat(emulator.now()).isEqualTo(MILLISECOND);
      assertThat(emulator.threads().await(failing, Duration.ZERO)).isTrue();
      assertThatThrownBy(() -> emulator.threads().await(failing))
          .isInstanceOf(CompletionException.class)
          .hasRootCauseMessage("out of slots");
      CompletableFuture<String> cancelled = new CompletableFuture<>();
      cancelled.cancel(false);
      assertThatThrownBy(() -> emulator.threads().await(cancelled))
          .isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void aQueueIsOneOfJava() throws InterruptedException {
    try (Emulator emulator = strict()) {
      BlockingQueue<Integer> queue = emulator.threads().queue("work", 4);
      assertThat(queue.addAll(List.of(1, 2, 3))).isTrue();
      assertThat(queue).containsExactly(1, 2, 3);
      assertThat(queue.remainingCapacity()).isEqualTo(1);
      assertThat(queue.peek()).isEqualTo(1);
      assertThat(queue.remove(2)).isTrue();
      assertThat(queue.remove(2)).isFalse();
      queue.put(4);
      queue.put(5);
      assertThatThrownBy(() -> queue.add(6)).hasMessage("Queue full");
      List<Integer> drained = new ArrayList<>();
      assertThat(queue.drainTo(drained, 2)).isEqualTo(2);
      assertThat(drained).containsExactly(1, 3);
      assertThat(queue.take()).isEqualTo(4);
      queue.clear();
      assertThat(queue).isEmpty();
      assertThatThrownBy(() -> emulator.threads().queue("none", 0)).hasMessageContaining("1");
    }
  }

  @Test
  void whoPutsWaitsForRoom() {
    try (Emulator emulator = strict()) {
      BlockingQueue<Integer> queue = emulator.threads().queue("work", 2);
      emulator.start(
          "producer",
          body(
              () -> {
                for (int i = 1; i <= 4; i++) {
                  queue.put(i);
                  log.add("put " + i);
                }
              }));
      emulator.start(
          "consumer",
          body(
              () -> {
                for (int i = 1; i <= 4; i++) {
                  log.add("take " + queue.take());
                }
              }));
      emulator.threads().join();
    }

    assertThat(log)
        .containsExactly(
            "put 1", "put 2", "take 1", "take 2", "put 3", "put 4", "take 3", "take 4");
  }

  @Test
  void aThreadOfAnotherOriginIsRefused() {
    try (Emulator emulator = Emulator.inMemory()) {
      Lock lock = emulator.threads().lock("lock");
      emulator.start(
          "starter",
          () -> {
            Thread foreign = new Thread(() -> logWhatIsThrown(lock::lock), "foreign");
            foreign.start();
            while (log.isEmpty()) {
              Thread.onSpinWait();
            }
          });
      emulator.threads().join();
    }

    assertThat(log).containsExactly("VerbsException false");
  }

  @Test
  void closeEndsTheWaitsOfAllThreadsInRealTimeToo() {
    for (Emulator emulator : List.of(Emulator.inMemory(), Emulator.on(InMemoryFabric.realTime()))) {
      Lock lock = emulator.threads().lock("lock");
      Condition condition = lock.newCondition();
      BlockingQueue<Integer> queue = emulator.threads().queue("work");
      CompletableFuture<Void> never = new CompletableFuture<>();
      emulator.start("takes", body(queue::take));
      emulator.start("awaits a future", () -> emulator.threads().await(never));
      emulator.start(
          "awaits",
          body(
              () -> {
                lock.lock();
                try {
                  condition.await();
                } finally {
                  lock.unlock();
                }
              }));
      while (emulator.threads().describeWaits().size() < 3) {
        emulator.sleep(MILLISECOND);
      }

      assertThatCode(emulator::close).doesNotThrowAnyException();
      assertThat(emulator.threads().describeWaits()).isEmpty();
      assertThatThrownBy(queue::take).hasMessageContaining("ENODEV");
    }
  }

  @Test
  void inRealTimeTheyAreOrdinaryOnes() throws InterruptedException {
    int[] count = new int[1];
    try (Emulator emulator = Emulator.on(InMemoryFabric.realTime())) {
      Lock lock = emulator.threads().lock("lock");
      Condition changed = lock.newCondition();
      BlockingQueue<Integer> queue = emulator.threads().queue("work", 8);
      Interruptible work =
          () -> {
            for (int i = 0; i < 5_000; i++) {
              int each = queue.take();
              lock.lock();
              count[0] += each;
              changed.signalAll();
              lock.unlock();
            }
          };
      emulator.start("one", body(work));
      emulator.start("two", body(work));
      for (int i = 0; i < 10_000; i++) {
        queue.put(1);
      }
      lock.lock();
      while (count[0] < 10_000) {
        changed.await();
      }
      lock.unlock();
      emulator.threads().join();
      assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isTrue();
      emulator.start("third", () -> log.add("third " + lock.tryLock())).join();
    }

    assertThat(count[0]).isEqualTo(10_000);
    assertThat(log).containsExactly("third false");
  }
}

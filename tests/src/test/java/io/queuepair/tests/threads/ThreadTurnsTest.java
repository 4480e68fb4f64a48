// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.threads.ApplicationThread;
import io.queuepair.emulator.threads.ApplicationThreadException;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that the emulator starts run one at a time in virtual time. */
@Timeout(60)
final class ThreadTurnsTest {
  private final List<String> log = new ArrayList<>(); // No lock: one thread runs at a time.
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final EchoProgram program = new EchoProgram(emulator, 0);

  private static Throwable inThread(Runnable work) {
    return inThread("foreign", work);
  }

  private static Throwable inThread(String name, Runnable work) {
    FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(work::run));
    new Thread(task, name).start();
    try {
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static void countDown(CountDownLatch latch) {
    latch.countDown();
  }

  private static void awaitOutside(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("interrupted", interrupted);
    }
  }

  @Test
  void aThreadRunsWhenTheOthersWait() {
    ApplicationThread first = emulator.start("first", () -> log.add("first"));
    emulator.start("second", () -> log.add("second"));
    log.add("test");
    assertThat(first.isAlive()).isTrue();
    emulator.threads().join();
    assertThat(first.isAlive()).isFalse();
    assertThat(first.name()).isEqualTo("first");

    assertThat(log).containsExactly("test", "first", "second");
  }

  @Test
  void sleepersWakeInTheOrderOfTheirMoments() {
    for (int millis : new int[] {30, 10, 20}) {
      emulator.start(
          "sleeper",
          () -> {
            emulator.sleep(Duration.ofMillis(millis));
            log.add(millis + " at " + emulator.now().toMillis());
          });
    }
    emulator.sleep(Duration.ofMillis(25));
    log.add("test at " + emulator.now().toMillis());
    emulator.threads().join();

    assertThat(log).containsExactly("10 at 10", "20 at 20", "test at 25", "30 at 30");
  }

  @Test
  void aSleepOfZeroLetsOthersHaveTheirTurn() {
    boolean[] isSet = new boolean[1];
    emulator.start(
        "setter",
        () -> {
          emulator.sleep(Duration.ofSeconds(5));
          isSet[0] = true;
        });
    while (!isSet[0]) {
      emulator.sleep(Duration.ZERO);
    }

    assertThat(emulator.now()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aLoopThatLooksForWhatNeverComesEnds() {
    InMemoryOptions options = InMemoryOptions.virtualTime().withMaxEmptyPolls(1_000);
    try (Emulator impatient = Emulator.on(InMemoryFabric.create(options))) {
      EchoProgram echo = new EchoProgram(impatient, 0);
      impatient.start("server", () -> echo.serve(1));

      assertThatThrownBy(
              () -> {
                while (echo.clientCq().poll(1).isEmpty()) {
                  log.add("again");
                }
              })
          .hasMessageContaining("EDEADLK");
    }
    assertThat(log).hasSizeBetween(999, 1_001);
  }

  @Test
  void standstillNamesEveryThreadAndWhereItIs() {
    emulator.start("server", () -> program.serve(1));
    ApplicationThread joiner = emulator.start("joiner", () -> program.call(0, true));
    joiner.join();

    assertThatThrownBy(() -> emulator.await(program.clientCq()))
        .isInstanceOfSatisfying(
            VerbsException.class, met -> assertThat(met.errno()).isEqualTo(Errno.EDEADLK))
        .hasMessageContaining("would block for ever: the network is idle")
        .hasMessageContaining("thread " + Thread.currentThread().getName() + " runs, in ")
        .hasMessageContaining("at " + ThreadTurnsTest.class.getName())
        .hasMessageContaining(
            "thread server waits in ibv_get_cq_event for an announcement of one of 1 completion"
                + " queues")
        .hasMessageContaining("at " + EchoProgram.class.getName() + ".serve(EchoProgram.java:")
        .hasMessageNotContaining("thread joiner");
  }

  @Test
  void whoJoinsAThreadThatNeverEndsIsToldSo() {
    ApplicationThread server = emulator.start("server", () -> program.serve(1));

    assertThatThrownBy(server::join)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining("the end of thread server");
    assertThat(server.join(Duration.ofSeconds(1))).isFalse();
    assertThatThrownBy(() -> emulator.threads().join())
        .hasMessageContaining("the end of [thread server]");
    emulator.close();
    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void closeEndsTheWaitsOfAllThreads() {
    ApplicationThread server = emulator.start("server", () -> program.serve(-1));
    ApplicationThread sleeper =
        emulator.start(
            "sleeper",
            () -> {
              while (true) {
                emulator.sleep(Duration.ofSeconds(1));
              }
            });
    emulator.start("client", () -> program.call(3, false)).join();

    emulator.close();

    assertThat(server.isAlive()).isFalse();
    assertThat(sleeper.isAlive()).isFalse();
    assertThatThrownBy(() -> emulator.start("late", () -> log.add("late")))
        .hasMessageContaining("ENODEV");
  }

  @Test
  void whatAThreadThrowsJoinThrows() {
    AssertionError cause = new AssertionError("seven");
    ApplicationThread failing =
        emulator.start(
            "failing",
            () -> {
              throw cause;
            });

    assertThatThrownBy(failing::join)
        .isInstanceOf(ApplicationThreadException.class)
        .hasMessage("thread failing failed: java.lang.AssertionError: seven")
        .hasCause(cause);
    assertThatCode(emulator::close).doesNotThrowAnyException();
  }

  @Test
  void whatThreadsThrowCloseThrows() {
    for (String name : List.of("one", "two")) {
      emulator.start(name, () -> fail(name));
    }
    emulator.sleep(Duration.ZERO);

    assertThatThrownBy(emulator::close)
        .hasMessage("thread one failed: java.lang.IllegalStateException: one")
        .satisfies(
            met ->
                assertThat(met.getSuppressed()[0])
                    .hasMessage("thread two failed: java.lang.IllegalStateException: two"));
  }

  @Test
  void aStandstillNamesTheThreadThatFailed() {
    emulator.start("server", () -> fail("out of memory slots"));

    assertThatThrownBy(() -> program.call(1, false))
        .hasMessageContaining(
            "thread server has failed: java.lang.IllegalStateException: out of memory slots");
    assertThatThrownBy(emulator::close).isInstanceOf(ApplicationThreadException.class);
  }

  @Test
  void aThreadThatIsBlockedElsewhereHandsOnAndTheRunSaysSo() {
    CountDownLatch latch = new CountDownLatch(1);
    emulator.start("opener", () -> countDown(latch));
    assertThat(emulator.threads().nonDeterminism()).isEmpty();

    awaitOutside(latch);
    emulator.threads().join();

    assertThat(emulator.threads().nonDeterminism())
        .hasSize(1)
        .allSatisfy(
            text ->
                assertThat(text)
                    .startsWith(
                        "thread "
                            + Thread.currentThread().getName()
                            + " is WAITING outside of the emulator")
                    .contains("ThreadTurnsTest.awaitOutside(ThreadTurnsTest.java:"));
  }

  @Test
  void aStrictRunFailsInstead() throws Exception {
    Emulator strict = Emulator.inMemory();
    strict.threads().strict();
    CountDownLatch never = new CountDownLatch(1);
    FutureTask<Throwable> met = new FutureTask<>(() -> catchThrowable(() -> awaitOutside(never)));
    strict.start("blocked", met);

    assertThatThrownBy(() -> strict.threads().join())
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining(
            "threads are to run the same every time, but thread blocked is WAITING outside of the"
                + " emulator");
    assertThatThrownBy(strict::close)
        .isInstanceOf(ApplicationThreadException.class)
        .hasMessageContaining("thread blocked is WAITING outside of the emulator");
    assertThat(met.get(1, TimeUnit.MINUTES)).hasMessage("interrupted");
  }

  @Test
  void anInterruptEndsAWait() {
    ApplicationThread server =
        emulator.start(
            "server",
            () -> {
              Throwable met = catchThrowable(() -> program.serve(1));
              log.add(((VerbsException) met).errno() + " " + Thread.interrupted());
            });
    emulator.sleep(Duration.ofMillis(1));
    server.interrupt();
    server.join();

    assertThat(log).containsExactly("EINTR true");
  }

  /** It is taken note of while the thread sleeps until its turn, and given back. */
  @Test
  void anInterruptBeforeTheTurnIsNotLost() {
    Thread later =
        emulator
            .threads()
            .threadFactory("later")
            .newThread(() -> log.add("interrupted: " + Thread.interrupted()));
    later.start();
    later.interrupt();
    while (later.isInterrupted()) {
      Thread.onSpinWait();
    }
    emulator.threads().join();

    assertThat(log).containsExactly("interrupted: true");
  }

  @Test
  void anExecutorsTasksTakeTurns() throws Exception {
    emulator.threads().strict();
    ExecutorService executor = emulator.threads().executor("task");
    Future<String> slow =
        executor.submit(
            () -> {
              emulator.sleep(Duration.ofSeconds(1));
              return Thread.currentThread().getName();
            });
    Future<String> failing =
        executor.submit(
            () -> {
              throw new IllegalStateException("seven");
            });

    assertThat(slow.get()).isEqualTo("task-1");
    assertThatThrownBy(failing::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("seven");
    executor.shutdown();
    assertThat(executor.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
    assertThat(emulator.now()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aPoolOfThreadsOfTheFactoryWorksAlthoughItsQueueIsNotSeen() throws Exception {
    ExecutorService pool =
        Executors.newFixedThreadPool(2, emulator.threads().threadFactory("pool"));
    pool.execute(() -> program.serve(5));
    Future<?> client = pool.submit(() -> program.call(5, false));
    while (!client.isDone()) {
      emulator.sleep(Duration.ofMillis(1));
    }
    client.get();
    pool.shutdown();
  }

  @Test
  void aThreadOfTheFactoryThatIsNotStartedDelaysNoOther() {
    emulator.threads().strict();
    Thread unstarted = emulator.threads().threadFactory("pool").newThread(() -> log.add("never"));
    emulator.start("other", () -> log.add("other"));
    emulator.threads().join();
    emulator.close();

    assertThat(log).containsExactly("other");
    assertThat(unstarted.getState()).isEqualTo(Thread.State.NEW);
  }

  @Test
  void aThreadOfAnotherOriginIsRefused() {
    AtomicReference<Throwable> met = new AtomicReference<>();
    emulator.start("server", () -> met.set(inThread(program.clientQp()::query)));
    emulator.threads().join();

    assertThat(met.get())
        .isInstanceOfSatisfying(
            VerbsException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EPERM))
        .hasMessageContaining("thread foreign takes no part in this network")
        .hasMessageContaining("Emulator.start");
  }

  /** A future keeps what its task throws, and the wait for what the task would have done fails. */
  @Test
  void aRefusalThatWasHiddenIsInTheReports() {
    emulator.start(
        "server",
        () -> {
          for (int i = 0; i < 2; i++) {
            inThread(() -> program.clientQp().query());
          }
          program.serve(1);
        });
    Throwable deadlock = catchThrowable(emulator.threads()::join);
    String refused =
        "refused with EPERM: thread foreign, in ibv_query_qp, at " + getClass().getName();

    assertThat(deadlock)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining(refused);
    assertThat(emulator.report().lines())
        .first(InstanceOfAssertFactories.STRING)
        .startsWith(refused)
        .endsWith(", 2 times");
    // The server ends with ENODEV; after long blocking outside the emulator it may be EDEADLK.
    assertThat(catchThrowable(emulator::close))
        .satisfiesAnyOf(
            nothing -> assertThat(nothing).isNull(),
            late -> assertThat(late).hasMessageMatching("(?s)thread server failed: .*EDEADLK.*"));
  }

  @Test
  void soManyRefusalsAreRemembered() {
    emulator.start(
        "server",
        () -> {
          for (int i = 0; i < 20; i++) {
            inThread("foreign" + i, program.clientQp()::query);
          }
        });
    emulator.threads().join();

    assertThat(emulator.report().lines().filter(line -> line.startsWith("refused with EPERM: ")))
        .hasSize(16)
        .last(InstanceOfAssertFactories.STRING)
        .contains("thread foreign15, in ibv_query_qp, at ");
  }

  /** As JUnit does it, if a test has a thread of its own and its preparations another. */
  @Test
  void aTestMayGoOnInAnotherThreadThanItsPreparations() {
    assertThat(inThread(() -> emulator.start("server", () -> program.serve(2)))).isNull();

    program.call(1, false);

    assertThat(inThread(() -> program.call(1, true))).isNull();
    emulator.close();
    assertThat(emulator.threads().nonDeterminism()).isEmpty();
  }

  @Test
  void aThreadThatDoesNotEndIsNamedWhenTheEmulatorIsClosed() {
    CountDownLatch latch = new CountDownLatch(1);
    emulator.start(
        "stubborn",
        () -> {
          boolean isOpen = false;
          while (!isOpen) {
            try {
              latch.await();
              isOpen = true;
            } catch (InterruptedException ignored) {
              log.add("interrupted");
            }
          }
        });
    emulator.sleep(Duration.ofMillis(1));

    assertThatThrownBy(emulator::close)
        .isInstanceOf(ApplicationThreadException.class)
        .hasMessageContaining("there still are [thread stubborn]")
        .hasMessageContaining("ThreadTurnsTest");
    latch.countDown();
  }

  @Test
  void inRealTimeTheyArePlainThreads() {
    try (Emulator real = Emulator.on(InMemoryFabric.realTime())) {
      EchoProgram echo = new EchoProgram(real, 0);
      assertThatThrownBy(() -> real.threads().schedule(Schedule.random(1)))
          .hasMessageContaining("a schedule needs virtual time");
      real.start("server", () -> echo.serve(-1));
      ApplicationThread client = real.start("client", () -> echo.call(10, false));
      ApplicationThread failing = real.start("failing", () -> fail("seven"));
      client.join();

      assertThatThrownBy(failing::join).hasRootCauseMessage("seven");
    }
  }

  private static void fail(String message) {
    throw new IllegalStateException(message);
  }

  @Test
  void aScheduleIsSaidBeforeTheFirstThread() {
    emulator.start("first", () -> log.add("first"));

    assertThatThrownBy(() -> emulator.threads().schedule(Schedule.random(1)))
        .hasMessageContaining("threads are at work already");
  }
}

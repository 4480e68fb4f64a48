// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.device.WaitQueue;
import io.queuepair.emulator.fabric.BlockedWorkReporter;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.ThreadTurns;
import io.queuepair.emulator.fabric.VirtualNetwork;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Application threads that the emulator starts.
 *
 * <p>In virtual time they and the thread that started them run one at a time, in the same order in
 * every run. A thread passes the turn on where it waits: in verbs that block, in polls that find
 * nothing, for events of the connection manager, in {@link #sleep} and {@link
 * ApplicationThread#join()}, and where it waits for another thread by a {@link #lock}, a {@link
 * #queue} or {@link #await(CompletionStage)}. The network moves when all threads wait. {@link
 * #schedule} decides which thread runs next. The emulator does not see other waits (monitors, other
 * locks and queues, {@code Thread.join}, input): it notices after a while that a thread is blocked
 * there, and lets others continue; then {@link #nonDeterminism()} reports that, or the run fails if
 * it is {@link #strict}.
 *
 * <p>In real time and over UDP they are plain threads; a schedule is refused.
 *
 * <p>Thread-safe.
 */
public final class ApplicationThreads implements AutoCloseable, BlockedWorkReporter {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_FAILURES = 16;

  private final Scheduler scheduler;

  /** Lock of {@link #sleepers}, the threads in {@link #sleep}; close dismisses them. */
  private final ReentrantLock sleepLock = new ReentrantLock();

  private final WaitQueue sleepers;

  /** Lock of the state below and of {@link #ends}: waits for ends of threads or tasks. */
  private final ReentrantLock lock = new ReentrantLock();

  private final WaitQueue ends;

  private final ThreadWaits waits;

  /** Living threads, and failed ones not reported yet. Guarded by the lock, as those below. */
  private final List<ApplicationThread> threads = new ArrayList<>();

  private Schedule schedule = Schedule.fifo();
  private boolean isStrict;
  private volatile @Nullable ThreadScheduler threadScheduler;

  /**
   * Creates an instance without threads.
   *
   * @param scheduler the scheduler of the network on which the threads wait
   */
  public ApplicationThreads(Scheduler scheduler) {
    this.scheduler = scheduler;
    sleepers = new WaitQueue(sleepLock, scheduler);
    ends = new WaitQueue(lock, scheduler);
    waits = new ThreadWaits(scheduler);
  }

  /**
   * Sets the order in which threads take turns; to be called before the first thread is started.
   * The default is {@link Schedule#fifo()}.
   *
   * @param newSchedule the order
   * @return this
   * @throws IllegalStateException if a thread was started already, or time is real
   */
  public ApplicationThreads schedule(Schedule newSchedule) {
    Objects.requireNonNull(newSchedule, "newSchedule");
    checkVirtualTime("a schedule");
    return configure(() -> schedule = newSchedule);
  }

  /**
   * Fails a run in which a thread is blocked outside the emulator; to be called before the first
   * thread is started. The blocked thread is interrupted, all waits end with EDEADLK, and {@link
   * #join()} and the close of the emulator throw.
   *
   * @return this
   * @throws IllegalStateException if a thread was started already, or time is real
   */
  public ApplicationThreads strict() {
    checkVirtualTime("a strict run");
    return configure(() -> isStrict = true);
  }

  private void checkVirtualTime(String what) {
    if (scheduler.virtualNetwork().isEmpty()) {
      throw new IllegalStateException(
          what + " needs virtual time: in real time threads run as the system lets them");
    }
  }

  private ApplicationThreads configure(Runnable change) {
    locked(
        () -> {
          if (threadScheduler != null || !threads.isEmpty()) {
            throw new IllegalStateException(
                "threads are at work already; this is said before the first is started");
          }
          change.run();
          return null;
        });
    return this;
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts a daemon thread. In virtual time it runs when it has the turn: not before the calling
   * thread waits, unless the schedule says otherwise.
   *
   * @param name its name, for reports
   * @param body what it does; {@link #join()} and the close of the emulator rethrow what it throws
   * @return the thread
   * @throws VerbsException ENODEV if the emulator is closed; EPERM in virtual time, if the calling
   *     thread does not take turns
   */
  public ApplicationThread start(String name, Runnable body) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(body, "body");
    ApplicationThread thread = new ApplicationThread(this, name);
    ThreadStart start = new ThreadStart(thread, body);
    thread.bind(start);
    begin(thread, start);
    launch(start, () -> thread.toThread().start());
    if (threadScheduler != null) {
      threadScheduler.verbBegins("start");
    }
    return thread;
  }

  /** Starts a thread that the scheduler knows; forgets it if the system refuses to. */
  private void launch(ThreadStart start, Runnable starting) {
    boolean runs = false;
    try {
      starting.run();
      runs = true;
    } finally {
      if (!runs) {
        locked(() -> threads.remove(start.thread));
        if (start.scheduled != null) {
          threadScheduler.discard(start.scheduled);
        }
      }
    }
  }

  /** Body of a thread: waits for its turn, runs the program, reports how that ended. */
  private final class ThreadStart implements Runnable {
    private final ApplicationThread thread;
    private final Runnable body;
    private @Nullable ScheduledThread scheduled;

    ThreadStart(ApplicationThread thread, Runnable body) {
      this.thread = thread;
      this.body = body;
    }

    @Override
    public void run() {
      Throwable thrown = null;
      if (scheduled != null) {
        threadScheduler.begin(scheduled);
      }
      try {
        body.run();
      } catch (RuntimeException | Error failure) {
        thrown = failure;
      }
      if (scheduled != null) {
        threadScheduler.enter(); // The body may have ended outside the emulator.
      }
      ended(thread, isEndOfEmulator(thrown) ? null : thrown);
      if (scheduled != null) {
        threadScheduler.end(scheduled);
      }
    }
  }

  /** Whether a thread ended with ENODEV because the emulator was closed, which is no failure. */
  private boolean isEndOfEmulator(@Nullable Throwable thrown) {
    return sleepers.areDismissed()
        && thrown instanceof VerbsException verbsException
        && verbsException.errno() == Errno.ENODEV;
  }

  private void ended(ApplicationThread thread, @Nullable Throwable failure) {
    locked(
        () -> {
          thread.end(failure);
          if (failure == null) {
            threads.remove(thread);
          }
          ends.wake();
          return null;
        });
  }

  /** Wakes threads in {@link #awaitEnd}, after a change that was made without the lock. */
  void wake() {
    locked(
        () -> {
          ends.wake();
          return null;
        });
  }

  private void begin(ApplicationThread thread, ThreadStart start) {
    if (sleepers.areDismissed()) {
      throw new VerbsException(
          Errno.ENODEV, "start", "the emulator is closed, so it starts no " + thread);
    }
    Optional<VirtualNetwork> network = scheduler.virtualNetwork();
    if (network.isPresent()) {
      enterTurns(network.get());
      start.scheduled = threadScheduler.admit(thread.name(), thread.toThread());
    }
    locked(() -> threads.add(thread));
  }

  private void enterTurns(VirtualNetwork network) {
    ends.acquire("start"); // Waits for the turn if threads take turns already.
    try {
      if (threadScheduler == null) {
        threadScheduler = takeTurns(network);
        scheduler.blockedWork().add(this);
      }
    } finally {
      ends.release();
    }
  }

  /** Scheduler of the network; another emulator on the same network may have made it already. */
  private ThreadScheduler takeTurns(VirtualNetwork network) {
    Optional<ThreadTurns> turns = network.turns();
    if (turns.isPresent()) {
      return (ThreadScheduler) turns.get();
    }
    ThreadScheduler first = new ThreadScheduler(scheduler, network, schedule.begin(), isStrict);
    network.takeTurns(first);
    return first;
  }

  /**
   * Makes a factory of threads, for frameworks that start their own. In virtual time the threads
   * take turns from their start on. Waits of the framework itself, such as those of idle threads of
   * a pool, are not seen by the emulator; {@link #executor} has none.
   *
   * @param name prefix of the names of the threads; a number is appended
   * @return a factory; it throws ENODEV if the emulator is closed, and EPERM in virtual time, if
   *     the calling thread does not take turns
   */
  public ThreadFactory threadFactory(String name) {
    Objects.requireNonNull(name, "name");
    AtomicInteger count = new AtomicInteger();
    return body -> {
      ApplicationThread thread = new ApplicationThread(this, name + "-" + count.incrementAndGet());
      ThreadStart start = new ThreadStart(thread, body);
      thread.bind(start);
      begin(thread, start);
      return thread.toThread();
    };
  }

  /**
   * Makes an executor that starts a thread for each task. In virtual time waits for its futures and
   * in {@code awaitTermination} are part of the schedule.
   *
   * @param name prefix of the names of the threads; a number is appended
   * @return a new executor; to be shut down
   */
  public ExecutorService executor(String name) {
    return new ThreadPerTaskExecutor(this, Objects.requireNonNull(name, "name"));
  }

  /**
   * Lets the calling thread sleep, while other threads take turns; in virtual time that takes no
   * real time. Zero lets other threads take turns once, for loops that check what another thread
   * does.
   *
   * @param duration how long, in the time of the network, zero or more; more than 100 years count
   *     as 100 years
   * @throws IllegalArgumentException if it is negative
   * @throws VerbsException ENODEV if the emulator is closed, also during the sleep; EINTR if the
   *     thread is interrupted; EPERM in virtual time, if another thread uses the network; EDEADLK
   *     in virtual time after a million calls with zero, if no event is left
   */
  public void sleep(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a duration of " + duration + " is negative");
    }
    WaitDescription description = new WaitDescription("sleep", () -> "the end of a sleep");
    if (duration.isZero()) {
      if (sleepers.await(description, () -> null, duration).isPresent()) {
        throw new IllegalStateException("nothing is waited for");
      }
    } else {
      sleepers.spend(description, duration);
    }
  }

  /**
   * Makes a reentrant lock, which may be held over verbs and waits. Waiting threads get it in no
   * fixed order. Its times are those of the network, so {@link
   * java.util.concurrent.locks.Condition#awaitUntil} is refused. In virtual time a {@code tryLock}
   * in vain is like a poll that finds nothing: other threads take turns, and if all wait, the
   * network moves.
   *
   * <p>Besides what the interfaces say, waits of the lock and of its conditions throw {@link
   * VerbsException}: ENODEV if the emulator is closed, also during the wait; EDEADLK in virtual
   * time, if they never end; the message names each waiting thread, its lock and the holder. In
   * virtual time all methods throw EPERM if the calling thread does not take turns.
   *
   * @param name for reports
   * @return a new lock
   */
  public Lock lock(String name) {
    return new ApplicationLock(waits, Objects.requireNonNull(name, "name"));
  }

  /**
   * Makes an unbounded queue by which threads hand work to each other.
   *
   * @param <E> type of its elements
   * @param name for reports
   * @return a new queue; it throws as {@link #lock}
   */
  public <E> BlockingQueue<E> queue(String name) {
    return queue(name, Integer.MAX_VALUE);
  }

  /**
   * Makes a bounded queue by which threads hand work to each other. Its times are those of the
   * network. In virtual time a {@code poll} or {@code offer} in vain is like a poll of a completion
   * queue that finds nothing: other threads take turns, and if all wait, the network moves.
   *
   * @param <E> type of its elements
   * @param name for reports
   * @param capacity how many elements it holds, 1 or more
   * @return a new queue; it throws as {@link #lock}
   * @throws IllegalArgumentException if the capacity is less than 1
   */
  public <E> BlockingQueue<E> queue(String name, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity + " is less than 1");
    }
    return new ApplicationQueue<>(waits, Objects.requireNonNull(name, "name"), capacity);
  }

  /**
   * Waits until a stage is complete, as {@link CompletableFuture#join()} does.
   *
   * @param <T> type of its result
   * @param stage a stage that another thread completes; in virtual time a thread that takes turns
   * @return its result
   * @throws java.util.concurrent.CompletionException if it failed, with the failure as the cause
   * @throws java.util.concurrent.CancellationException if it was cancelled
   * @throws VerbsException EINTR if the calling thread is interrupted; ENODEV if the emulator is
   *     closed, also during the wait; EDEADLK in virtual time, if it is never complete; EPERM in
   *     virtual time, if the calling thread does not take turns
   */
  public <T> T await(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    awaitStage(future, null);
    return future.join();
  }

  /**
   * Waits until a stage is complete, for a limited time.
   *
   * @param stage a stage that another thread completes; in virtual time a thread that takes turns
   * @param timeout how long at most, in the time of the network; with zero, other threads take
   *     turns once
   * @return whether it is complete, by a result or by a failure
   * @throws VerbsException as {@link #await(CompletionStage)}, but EDEADLK only after a million
   *     calls in vain, if no event is left
   */
  public boolean await(CompletionStage<?> stage, Duration timeout) {
    return awaitStage(stage.toCompletableFuture(), Objects.requireNonNull(timeout, "timeout"));
  }

  private boolean awaitStage(CompletableFuture<?> future, @Nullable Duration timeout) {
    WaitQueue waiters = waits.newQueue();
    CompletableFuture<?> waking = future.whenComplete((result, failure) -> waits.wake(waiters));
    WaitDescription description = new WaitDescription("await", () -> "the completion of a future");
    try {
      return waits
          .await(waiters, description, () -> future.isDone() ? this : null, timeout)
          .isPresent();
    } finally {
      waking.cancel(false); // Otherwise a future that is never complete collects them.
    }
  }

  /**
   * Describes waits for other threads: for a lock and its holder, a signal, an element or room of a
   * queue, a future.
   *
   * @return a sentence for each wait, in the order in which they began
   */
  public List<String> describeWaits() {
    return waits.describe();
  }

  /**
   * Waits until all threads of this emulator have ended, or one has failed.
   *
   * @throws ApplicationThreadException if one threw something; or if a thread was blocked outside
   *     the emulator in a strict run
   * @throws VerbsException EDEADLK in virtual time, if one never ends; the message says what all
   *     threads wait for; EINTR if the calling thread is interrupted
   */
  public void join() {
    WaitDescription description = new WaitDescription("join", () -> "the end of " + alive());
    Optional<ApplicationThreads> done =
        ends.await(description, () -> anyFailed() || nobodyElseLives() ? this : null, null);
    assert done.isPresent() : "there is no time limit";
    throwFailures("");
  }

  private boolean anyFailed() {
    return threads.stream().anyMatch(ApplicationThread::hasNewFailure);
  }

  private boolean nobodyElseLives() {
    return threads.stream()
        .allMatch(thread -> !thread.isRunning() || thread.toThread() == Thread.currentThread());
  }

  private List<String> alive() {
    return locked(
        () ->
            threads.stream()
                .filter(ApplicationThread::isRunning)
                .map(ApplicationThread::toString)
                .toList());
  }

  boolean join(ApplicationThread thread, @Nullable Duration timeout) {
    if (thread.toThread() == Thread.currentThread()) {
      throw new IllegalStateException(thread + " would wait for its own end");
    }
    boolean hasEnded = awaitEnd("the end of " + thread, thread::hasEnded, timeout);
    List<ApplicationThread> failedThreads =
        locked(() -> thread.hasNewFailure() ? List.of(thread) : List.of());
    throwFailures(failedThreads, "");
    return hasEnded;
  }

  /**
   * Waits until a condition holds, which is checked again after each {@link #wake}; false if the
   * timeout came first.
   */
  boolean awaitEnd(String what, BooleanSupplier isEnd, @Nullable Duration timeout) {
    WaitDescription description = new WaitDescription("join", () -> what);
    return ends.await(description, () -> isEnd.getAsBoolean() ? this : null, timeout).isPresent();
  }

  boolean hasEnded(ApplicationThread thread) {
    return locked(thread::hasEnded);
  }

  private void throwFailures(String more) {
    List<ApplicationThread> failedThreads =
        locked(() -> threads.stream().filter(ApplicationThread::hasNewFailure).toList());
    throwFailures(failedThreads, more);
  }

  private void throwFailures(List<ApplicationThread> failedThreads, String more) {
    String strictFailure = threadScheduler == null ? null : threadScheduler.strictFailure();
    ApplicationThreadException first = null;
    for (ApplicationThread thread : failedThreads) {
      ApplicationThreadException next =
          new ApplicationThreadException(thread + " failed: " + thread.failure(), thread.failure());
      locked(
          () -> {
            thread.setReported();
            return threads.remove(thread);
          });
      if (first == null) {
        first = next;
      } else {
        first.addSuppressed(next);
      }
    }
    String text = strictFailure == null ? more : strictFailure;
    if (first != null) {
      throw first;
    }
    if (!text.isEmpty()) {
      throw new ApplicationThreadException(text, null);
    }
  }

  /**
   * Reasons why the run may not repeat: threads that were blocked outside the emulator, or ran for
   * long without a verb.
   *
   * @return a sentence each, the first 16; empty if the run is deterministic so far, and in real
   *     time, where no run is deterministic
   */
  public List<String> nonDeterminism() {
    return threadScheduler == null ? List.of() : threadScheduler.intrusions();
  }

  /**
   * The switches that the schedule has made so far: where the network or another thread than the
   * usual one ran next.
   *
   * @return a line each; empty for {@link Schedule#fifo()}
   */
  public List<String> switches() {
    return threadScheduler == null
        ? List.of()
        : threadScheduler.made().switches().stream().map(Decisions.TakenSwitch::toString).toList();
  }

  /**
   * Schedule that makes the same switches as this run so far.
   *
   * @return the switches; none for {@link Schedule#fifo()}, and if no thread was started
   */
  public Schedule replay() {
    return threadScheduler == null
        ? Schedule.ofSwitches(List.of())
        : threadScheduler.made().schedule();
  }

  /** Lists threads that have failed: others may wait for them in vain. */
  @Override
  public List<String> describeBlockedWork() {
    return locked(
        () ->
            threads.stream()
                .filter(ApplicationThread::hasNewFailure)
                .limit(MAX_FAILURES)
                .map(thread -> thread + " has failed: " + thread.failure())
                .toList());
  }

  /**
   * Ends all sleeps, and all waits of threads for each other; {@link
   * io.queuepair.emulator.Emulator#close} calls this first. From now on a thread that ends with
   * ENODEV has not failed.
   */
  public void endSleep() {
    sleepLock.lock();
    try {
      sleepers.dismiss();
    } finally {
      sleepLock.unlock();
    }
    waits.dismiss();
  }

  /**
   * Ends all sleeps, and waits for the threads to end; {@link io.queuepair.emulator.Emulator#close}
   * calls this last, when its devices are closed. A thread that the emulator has started does not
   * wait.
   *
   * @throws ApplicationThreadException if a thread threw something that no {@code join} has thrown
   *     yet, or has not ended; or if a thread was blocked outside the emulator in a strict run
   */
  @Override
  public void close() {
    endSleep();
    boolean isOurs =
        locked(
            () -> threads.stream().anyMatch(thread -> thread.toThread() == Thread.currentThread()));
    if (isOurs) {
      return;
    }
    String unended = alive().isEmpty() ? "" : awaitAll();
    throwFailures(unended);
  }

  private String awaitAll() {
    String text = "after the emulator was closed, there still are " + alive();
    BooleanSupplier isOver = this::nobodyElseLives;
    try {
      if (threadScheduler == null) {
        return awaitEnd("the end of all threads", isOver, CLOSE_TIMEOUT) ? "" : text + stacks();
      }
      threadScheduler.beginClose();
      awaitEnd("the end of all threads", isOver, null);
      return "";
    } catch (VerbsException e) {
      if (threadScheduler != null) {
        threadScheduler.abandon();
      }
      String stacks = e.errno() == Errno.EDEADLK ? stacks() : ": " + e.getMessage();
      return "after the emulator was closed, there still are " + alive() + stacks;
    } catch (FabricException e) {
      return text + ": " + e.getMessage();
    }
  }

  private String stacks() {
    StringBuilder text = new StringBuilder();
    List<ApplicationThread> livingThreads =
        locked(() -> threads.stream().filter(ApplicationThread::isRunning).toList());
    for (ApplicationThread thread : livingThreads) {
      text.append("\n  ").append(thread).append(" is ").append(thread.toThread().getState());
      text.append(StackText.of(thread.toThread().getStackTrace()));
    }
    return text.toString();
  }
}

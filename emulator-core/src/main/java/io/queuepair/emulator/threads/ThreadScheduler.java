// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.LivelockDetector;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.ThreadTurns;
import io.queuepair.emulator.fabric.TurnWait;
import io.queuepair.emulator.fabric.VirtualNetwork;
import io.queuepair.emulator.threads.ScheduledThread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets threads run one at a time. A thread keeps the turn until it waits; then it chooses the next
 * thread, and runs the network while all wait. There is no scheduler thread: threads that wait for
 * a turn check now and then whether the running one is blocked.
 */
final class ThreadScheduler implements ThreadTurns {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PROMPT_WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Real time for which threads blocked outside the emulator may keep all others waiting. */
  private static final long OUTSIDE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Limit in place of {@link #OUTSIDE_NANOS} once the emulator is being closed, in real time. */
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a ready thread is delayed at most, in virtual time: 20 microseconds. */
  private static final long MAX_DELAY_NANOS = 20_000;

  /** How long a new thread waits for the first one to be blocked or to end, in real time. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final String IDLE = "the network is idle";
  private static final int NONE = -1;
  private static final int MAX_INTRUSIONS = 16;

  private final Scheduler scheduler;
  private final VirtualNetwork network;
  private final Decisions decisions;
  private final boolean isStrict;
  private final BlockedThreadDetector detector = new BlockedThreadDetector();
  private final LivelockDetector livelockDetector;

  /** Guards all below. No lock of a device is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ThreadRegistry threads = new ThreadRegistry();
  private final TurnQueue queue = new TurnQueue();

  /** Reasons why the run may differ the next time. */
  private final List<String> intrusions = new ArrayList<>();

  private final AtomicLong turn = new AtomicLong();
  private boolean mayPollersLook;
  private final AtomicInteger outside = new AtomicInteger();
  private volatile long lastMoveNanos;
  private volatile @Nullable String strictFailure;
  private volatile boolean isClosing;
  private volatile boolean isAbandoned;

  /** Thread that has the turn or passes it on; null while all wait for one outside. */
  private volatile @Nullable ScheduledThread runningThread;

  /**
   * Begins with the calling thread as the first, which has the turn.
   *
   * @param isStrict whether a thread that is blocked outside ends all waits
   */
  ThreadScheduler(
      Scheduler scheduler, VirtualNetwork network, Decisions decisions, boolean isStrict) {
    this.scheduler = scheduler;
    this.network = network;
    this.decisions = decisions;
    this.isStrict = isStrict;
    livelockDetector = new LivelockDetector(scheduler);
    runningThread = threads.add(Thread.currentThread().getName(), Thread.currentThread(), false);
    runningThread.becomeRunning();
    runningThread.setAtWork(true);
  }

  /** Registers a thread that is going to be started; the caller has the turn. */
  ScheduledThread admit(String name, @Nullable Thread thread) {
    lock.lock();
    try {
      ScheduledThread scheduledThread = threads.add(name, thread, true);
      queue.addUnstarted(scheduledThread);
      return scheduledThread;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a thread that was registered, but could not be started. */
  void discard(ScheduledThread thread) {
    lock.lock();
    try {
      queue.remove(thread);
      leaveForGood(thread);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the first turn of the calling thread. */
  void begin(ScheduledThread thread) {
    sleepUntilTurn(thread);
  }

  /** Unregisters the calling thread, which has the turn and is about to end, and passes it on. */
  void end(ScheduledThread thread) {
    lock.lock();
    try {
      thread.end();
      threads.remove(thread);
    } finally {
      lock.unlock();
    }
    giveTo(thread);
  }

  /**
   * Passes the turn on from a thread that ends. If an event of the network throws, that is logged,
   * and the next event follows, as no caller could take the exception.
   */
  private void giveTo(ScheduledThread thread) {
    boolean isGiven = false;
    while (!isGiven) {
      try {
        give(choose(thread));
        isGiven = true;
      } catch (RuntimeException | AssertionError thrown) {
        LOG.error("An event of the network failed while {} ended.", thread, thrown);
      }
    }
  }

  @Override
  public void enter() {
    ScheduledThread holderThread = runningThread;
    if (holderThread == null || holderThread.thread() != Thread.currentThread()) {
      comeIn();
    }
  }

  /** Waits for the turn of a thread that was outside, or is not known yet. */
  private void comeIn() {
    awaitRestOfFirst();
    ScheduledThread thread;
    lock.lock();
    try {
      thread = threads.current();
      if (thread == null) {
        thread = admitStranger();
      }
      if (thread.state() == State.OUTSIDE) {
        outside.decrementAndGet();
        lastMoveNanos = System.nanoTime();
        if (runningThread == null) {
          take(thread);
        } else {
          queue.addLast(thread, scheduler.nowNanos());
        }
      }
    } finally {
      lock.unlock();
    }
    sleepUntilTurn(thread);
  }

  /**
   * Waits until the first thread can be replaced. A new thread may call a verb as soon as the first
   * one has handed work to it, before the first one is blocked or has ended.
   */
  private void awaitRestOfFirst() {
    long beginNanos = System.nanoTime();
    while (isFirstOnItsWay() && System.nanoTime() - beginNanos < REST_NANOS) {
      LockSupport.parkNanos(this, PROMPT_WATCH_NANOS);
    }
  }

  private boolean isFirstOnItsWay() {
    lock.lock();
    try {
      ScheduledThread first = threads.first();
      return threads.current() == null && first != null && isAway(first) && !mayBeReplaced(first);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Registers a thread that the emulator did not start. It replaces the one that started the
   * others, if that one does nothing meanwhile: test frameworks have several threads.
   */
  private ScheduledThread admitStranger() {
    Thread thread = Thread.currentThread();
    ScheduledThread first = threads.first();
    if (first != null && !mayBeReplaced(first)) {
      throw new FabricException(
          "thread "
              + nameOf(thread)
              + " takes no part in this network, on which threads take turns: let the emulator"
              + " start it (Emulator.start, or an executor or thread factory of"
              + " Emulator.threads()); threads that run at the same time need real time"
              + " (InMemoryFabric.realTime()) or UDP",
          null);
    }
    ScheduledThread scheduledThread = threads.add(nameOf(thread), thread, false);
    outside.incrementAndGet();
    scheduledThread.moveOutside();
    if (first != null) {
      leaveForGood(first);
    }
    return scheduledThread;
  }

  private boolean mayBeReplaced(ScheduledThread first) {
    boolean isBlocked = first.thread().getState() != Thread.State.RUNNABLE;
    return isAway(first) && (isBlocked || !threads.isAnyStarted());
  }

  /** Whether the first thread runs no code of the emulator. */
  private boolean isAway(ScheduledThread first) {
    return first.state() == State.OUTSIDE
        || (runningThread == first && first.isAtWork() && network.inside() == null);
  }

  private void leaveForGood(ScheduledThread thread) {
    if (thread.state() == State.OUTSIDE) {
      outside.decrementAndGet();
    }
    thread.end();
    thread.setTurn(false);
    threads.remove(thread);
    if (runningThread == thread) {
      runningThread = null;
    }
  }

  static String nameOf(Thread thread) {
    String name = thread.getName(); // A virtual thread may have no name.
    return name.isEmpty() ? "#" + thread.getId() : name;
  }

  @Override
  public void verbBegins(String verb) {
    enter();
    if (decisions.areMadeAtVerbs()) {
      handOn(State.READY, verb, null, true);
    }
  }

  @Override
  public void pollFoundNothing(String verb) {
    enter();
    if (network.pollRunsEvents()) {
      handOn(State.POLLING, verb, null, false);
    } else {
      handOn(State.READY, verb, null, false);
    }
    if (outside.get() > 0 && !network.hasEvent()) {
      LockSupport.parkNanos(this, PROMPT_WATCH_NANOS); // Only a thread outside can end the polling.
    }
  }

  @Override
  public Optional<String> await(TurnWait wait) {
    enter();
    if (strictFailure != null) {
      return Optional.of(strictFailure);
    }
    return Optional.ofNullable(handOn(State.WAITING, wait.verb(), wait, false));
  }

  @Override
  public boolean isAnyBlockedOutside() {
    return outside.get() > 0 && System.nanoTime() - lastMoveNanos < OUTSIDE_NANOS;
  }

  /**
   * Passes the turn on, and returns when the thread has it again.
   *
   * @param isFirst whether the thread, if ready, stays the first of the ready ones
   * @return why its wait never ends, or null
   */
  private @Nullable String handOn(
      State state, String verb, @Nullable TurnWait wait, boolean isFirst) {
    ScheduledThread thread = runningThread;
    int depth = network.leave();
    thread.setAtWork(false);
    thread.setTurn(false);
    try {
      lock.lock();
      try {
        thread.enter(state, verb, wait);
        queue(thread, isFirst);
      } finally {
        lock.unlock();
      }
      ScheduledThread next = choose(thread);
      if (next != thread) {
        give(next);
      }
      sleepUntilTurn(thread);
      return thread.whyNever();
    } finally {
      network.comeBack(depth);
    }
  }

  private void queue(ScheduledThread thread, boolean isFirst) {
    queue.addStarted(scheduler.nowNanos());
    if (thread.state() != State.READY) {
      queue.addWaiting(thread);
    } else if (isFirst) {
      queue.addFirst(thread, scheduler.nowNanos());
    } else {
      queue.addLast(thread, scheduler.nowNanos());
    }
  }

  private static void give(@Nullable ScheduledThread next) {
    if (next != null) {
      LockSupport.unpark(next.thread());
    }
  }

  /** Parks the thread until it has the turn; meanwhile it watches the one that has it. */
  private void sleepUntilTurn(ScheduledThread thread) {
    while (!thread.hasTurn()) {
      thread.keepInterrupt();
      LockSupport.parkNanos(this, watchNanos());
      if (!thread.hasTurn() && !isAbandoned) {
        watch(thread);
      }
    }
    thread.setAtWork(true);
    thread.restoreInterrupt();
  }

  private long watchNanos() {
    if (isAbandoned) {
      return Long.MAX_VALUE;
    }
    return outside.get() > 0 ? PROMPT_WATCH_NANOS : WATCH_NANOS;
  }

  /** Gives a thread the turn; under the lock. */
  private void take(ScheduledThread next) {
    next.becomeRunning();
    next.setTurn(true);
    runningThread = next;
    turn.incrementAndGet();
    livelockDetector.restart();
  }

  /**
   * Chooses the thread that gets the turn, and runs the network while none is ready. The caller has
   * the turn, or acts for a blocked thread that has it.
   *
   * @return null if all wait for a thread outside, or all have ended
   */
  private @Nullable ScheduledThread choose(ScheduledThread thread) {
    boolean isLivelocked = false;
    while (true) {
      OptionalLong limitNanos;
      lock.lock();
      try {
        queue.wakeUp(scheduler.nowNanos(), mayPollersLook);
        mayPollersLook = false;
        limitNanos = queue.firstDeadlineNanos(scheduler.nowNanos());
        int chosen = decide(thread, limitNanos.isPresent(), isLivelocked);
        if (chosen == NONE) {
          runningThread = null;
          return null;
        }
        if (chosen != Decisions.NETWORK) {
          ScheduledThread next = queue.take(chosen);
          take(next);
          return next;
        }
      } finally {
        lock.unlock();
      }
      isLivelocked = moveNetwork(thread, limitNanos);
    }
  }

  private int decide(ScheduledThread thread, boolean isLimited, boolean isLivelocked) {
    if (queue.isNobodyReady()) {
      boolean canMove = network.hasEvent() || isLimited;
      if (canMove && !isLivelocked) {
        return Decisions.NETWORK;
      }
      queue.wakeUp(scheduler.nowNanos(), true); // Only polling threads can continue.
      if (queue.isNobodyReady() && outside.get() == 0) {
        queue.giveUp(isLivelocked ? LivelockDetector.REASON : IDLE, scheduler.nowNanos());
      }
      if (queue.isNobodyReady()) {
        return NONE;
      }
    }
    List<Integer> candidates = queue.readyNumbers();
    boolean mayMove = decisions.mayMoveEarly() && network.hasEvent();
    if (mayMove && queue.areAllReadySince(network.nextEventNanos(), MAX_DELAY_NANOS)) {
      candidates.add(Decisions.NETWORK);
    }
    return candidates.size() == 1
        ? candidates.get(0)
        : decisions.choose(thread, candidates, threads::nameOf);
  }

  /**
   * Runs one event of the network, or advances the clock to the first deadline.
   *
   * @return whether the network is busy without progress
   */
  private boolean moveNetwork(ScheduledThread thread, OptionalLong limitNanos) {
    boolean hasMoved = false;
    try {
      if (limitNanos.isPresent()) {
        scheduler.runNextUntil(limitNanos.getAsLong());
      } else {
        scheduler.runNext();
      }
      hasMoved = true;
    } finally {
      lock.lock();
      try {
        mayPollersLook = true;
        if (!hasMoved && thread.state() != State.ENDED) { // The caller gets the exception.
          queue.remove(thread);
          take(thread);
          thread.setAtWork(true);
        }
      } finally {
        lock.unlock();
      }
    }
    if (outside.get() > 0) {
      lastMoveNanos = System.nanoTime();
    }
    return limitNanos.isEmpty() && livelockDetector.isExhausted();
  }

  /** Checks whether the thread that has the turn is blocked; if so, another thread gets it. */
  private void watch(ScheduledThread thread) {
    ScheduledThread holderThread = runningThread;
    if (holderThread == null) {
      endOutsideWait(thread);
      return;
    }
    if (!holderThread.isAtWork()) {
      return;
    }
    boolean isInVerb = network.inside() == holderThread.thread() && !isClosing;
    String how = detector.look(holderThread.thread(), turn.get(), isInVerb, outside.get() > 0);
    if (how == null) {
      return;
    }
    StackTraceElement[] stack = holderThread.thread().getStackTrace();
    lock.lock();
    try {
      if (runningThread != holderThread
          || !holderThread.isAtWork()
          || thread.hasTurn()
          || network.inside() != null) {
        return;
      }
      runningThread = thread;
      turn.incrementAndGet();
      moveOutside(holderThread, how, stack);
      if (isClosing && how.equals(BlockedThreadDetector.BUSY)) {
        queue.giveUp("threads do not end", scheduler.nowNanos());
      }
    } finally {
      lock.unlock();
    }
    give(choose(thread));
  }

  private void moveOutside(ScheduledThread holderThread, String how, StackTraceElement[] stack) {
    if (holderThread.thread().getState() == Thread.State.TERMINATED) {
      leaveForGood(holderThread);
      return;
    }
    holderThread.setTurn(false);
    holderThread.moveOutside();
    outside.incrementAndGet();
    lastMoveNanos = System.nanoTime();
    String text = holderThread + " " + how + " outside of the emulator" + StackText.of(stack);
    if (intrusions.size() < MAX_INTRUSIONS) {
      intrusions.add(text);
    }
    if (isStrict && strictFailure == null) {
      strictFailure = "threads are to run the same every time, but " + text;
      queue.giveUpAll(strictFailure, scheduler.nowNanos());
      holderThread.thread().interrupt();
    }
  }

  /** Stops waiting for threads outside, on which all others wait, after a time limit. */
  private void endOutsideWait(ScheduledThread thread) {
    lock.lock();
    try {
      long limitNanos = isClosing ? CLOSE_NANOS : OUTSIDE_NANOS;
      if (runningThread != null || System.nanoTime() - lastMoveNanos < limitNanos) {
        return;
      }
      List<ScheduledThread> outsideThreads = threads.outside();
      outsideThreads.stream().filter(ThreadScheduler::isGone).forEach(this::leaveForGood);
      if (isClosing || outsideThreads.stream().allMatch(ThreadScheduler::isBlockedForEver)) {
        queue.giveUp(IDLE + ", and all other threads are blocked", scheduler.nowNanos());
      }
      runningThread = thread;
    } finally {
      lock.unlock();
    }
    give(choose(thread));
  }

  private static boolean isGone(ScheduledThread thread) {
    return thread.thread().getState() == Thread.State.TERMINATED;
  }

  private static boolean isBlockedForEver(ScheduledThread thread) {
    Thread.State state = thread.thread().getState();
    return state != Thread.State.RUNNABLE && state != Thread.State.TIMED_WAITING;
  }

  /** Begins to close the emulator: interrupts threads that are blocked outside. */
  void beginClose() {
    enter();
    isClosing = true;
    List<Thread> away = new ArrayList<>();
    lock.lock();
    try {
      threads.outside().forEach(thread -> away.add(thread.thread()));
      lastMoveNanos = System.nanoTime();
    } finally {
      lock.unlock();
    }
    away.forEach(Thread::interrupt);
  }

  /** Abandons threads that have not ended: they never have a turn again. */
  void abandon() {
    isAbandoned = true;
  }

  /** Reasons why the run may not repeat; empty if it is deterministic so far. */
  List<String> intrusions() {
    lock.lock();
    try {
      return List.copyOf(intrusions);
    } finally {
      lock.unlock();
    }
  }

  Decisions.Made made() {
    lock.lock();
    try {
      return decisions.made();
    } finally {
      lock.unlock();
    }
  }

  @Nullable String strictFailure() {
    return strictFailure;
  }

  /** Describes what each thread does and where; called by the thread that has the turn. */
  @Override
  public List<String> describeBlockedWork() {
    List<ScheduledThread> allThreads;
    lock.lock();
    try {
      allThreads = threads.living();
    } finally {
      lock.unlock();
    }
    return allThreads.stream().map(ScheduledThread::describe).toList();
  }
}

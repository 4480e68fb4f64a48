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
 * one, and runs the network while all wait. There is no scheduler thread: threads that wait for a
 * turn check now and then whether the running one is blocked.
 */
final class ThreadScheduler implements ThreadTurns {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PROMPT_WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long threads that are blocked outside may keep all others waiting, in real time. */
  private static final long OUTSIDE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Time to wait for a thread once the emulator is closed. */
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a thread that could run is held up at most, in virtual time: 20 microseconds. */
  private static final long MAX_DELAY_NANOS = 20_000;

  /** How long a thread that goes out of the way may take for that, in real time. */
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

  /**
   * Thread that has the turn, or chooses the next one; null while all wait for a thread outside.
   */
  private volatile @Nullable ScheduledThread runningThread;

  /**
   * Begins, with the calling thread as the first.
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

  /** Takes in a thread that may be started from now on; the caller has the turn. */
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

  /** Forgets a thread that was taken in, but could not be started. */
  void discard(ScheduledThread thread) {
    lock.lock();
    try {
      queue.remove(thread);
      leaveForGood(thread);
    } finally {
      lock.unlock();
    }
  }

  /** Begins a thread that was taken in. */
  void begin(ScheduledThread thread) {
    sleepUntilTurn(thread);
  }

  /** Ends a thread that was taken in, and has the turn. */
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
   * Gives the turn to the next thread. If an event of the network fails meanwhile, it tries again,
   * as no caller could take the exception.
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

  /** Waits for the turn: the thread was outside, or is not known. */
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
   * A stranger may come as soon as the thread that it replaces has handed something to it: before
   * that one is blocked, or has ended.
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
   * A thread that was not started here may come in the place of the one that started the others, if
   * that does nothing meanwhile: test frameworks have several.
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

  /** Whether it is at work in nothing that is the emulator's. */
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
    String name = thread.getName(); // Of a virtual thread it may be empty.
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
      LockSupport.parkNanos(this, PROMPT_WATCH_NANOS); // Only what is outside can bring anything.
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
   * Hands on, and comes back with the turn.
   *
   * @param isFirst whether a thread that could run would go on by itself
   * @return why what it waits for never comes, or null
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

  /** Sleeps until the thread has the turn, watching the one that has it. */
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

  /** Under the lock: gives a thread the turn. */
  private void take(ScheduledThread next) {
    next.becomeRunning();
    next.setTurn(true);
    runningThread = next;
    turn.incrementAndGet();
    livelockDetector.restart();
  }

  /**
   * Chooses who has the turn, running the network if no thread could. The caller had it, or acts
   * for one that is blocked.
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
      queue.wakeUp(
          scheduler.nowNanos(), true); // The polling thread is the only one that can do anything.
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
   * Runs one event, or lets the first deadline come.
   *
   * @return whether the network is busy and gets nowhere
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
        if (!hasMoved && thread.state() != State.ENDED) { // The exception reaches the caller.
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

  /** Looks whether the thread that has the turn is blocked; if so, another thread gets it. */
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

  /** All wait, and only a thread outside could change that: it may take so long, and no longer. */
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

  /** The emulator is being closed: those who are blocked outside should end, too. */
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

  /** Threads that have not ended never have a turn again. */
  void abandon() {
    isAbandoned = true;
  }

  /** Why the run may be another one the next time; empty if it is deterministic so far. */
  List<String> intrusions() {
    lock.lock();
    try {
      return List.copyOf(intrusions);
    } finally {
      lock.unlock();
    }
  }

  /** The switches made so far. */
  Decisions.Made made() {
    lock.lock();
    try {
      return decisions.made();
    } finally {
      lock.unlock();
    }
  }

  /** Why a strict run has failed, or null. */
  @Nullable String strictFailure() {
    return strictFailure;
  }

  /** Says of each thread what it does, and where. Called by one that has the turn. */
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

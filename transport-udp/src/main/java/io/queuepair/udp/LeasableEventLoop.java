// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.queuepair.emulator.fabric.LoopLease;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop with a thread of its own, which lets callers run it in its place: one thread at a
 * time. Its own thread, the keeper, runs it until it has woken a caller. Then it rests, as that one
 * will soon wait again and can run the loop itself; it looks from time to time whether a caller
 * does, and continues if not.
 */
final class LeasableEventLoop extends SingleThreadIoEventLoop implements LoopLease {
  /**
   * How long the keeper rests before it looks again. Packets and timers may wait for twice as long,
   * if the last caller who ran the loop did so at the beginning of a rest.
   */
  private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

  /** After so many looks without success a thread counts as spinning, and may run the loop. */
  private static final int FAILED_LEASES_BEFORE_REST = 32;

  /** More than the tasks of a round take, so that their number is what ends it. */
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The tasks of a round are not counted yet. */
  private static final int UNCOUNTED = -1;

  private static final Logger LOG = LoggerFactory.getLogger(LeasableEventLoop.class);

  private final boolean lends;
  private final ArrivalLooks arrivals = new ArrivalLooks(this::runIo, () -> pendingTasks() > 0);

  /** Thread that runs the loop, as all of Netty sees it; null if there is none. */
  private final AtomicReference<Thread> driver = new AtomicReference<>();

  /** Callers that sleep until another thread runs the loop. */
  private final AtomicInteger blockedThreads = new AtomicInteger();

  /** Null before anything was to be done. */
  private volatile Thread loopThread;

  /** Whether a thread relies on the keeper. */
  private volatile boolean mustRunLoop;

  /** How often callers have looked for packets. */
  private final AtomicLong looks = new AtomicLong();

  /** How often callers who polled could not borrow the loop since the keeper rested. */
  private final AtomicInteger failedLeases = new AtomicInteger();

  /** Whether a caller has sent by itself since anybody looked for packets. */
  private volatile boolean hasSent;

  // Of the driver alone.
  private boolean isAnswered;
  private boolean mustNotBlock;
  private boolean isBounded;
  private long boundNanos;
  private int tasksLeft;

  /**
   * Makes a loop whose thread starts when there is something to do.
   *
   * @param lends whether callers may run it
   */
  LeasableEventLoop(ThreadFactory threads, IoHandlerFactory handler, boolean lends) {
    super(null, threads, handler);
    this.lends = lends;
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    return driver.get() == thread;
  }

  @Override
  protected void run() {
    boolean isFirst = take();
    assert isFirst : "a thread runs a loop that has not started";
    loopThread = Thread.currentThread();
    ioHandler().initialize();
    do {
      if (mayRest()) {
        idle();
      }
      isAnswered = false;
      hasSent = false;
      mustNotBlock = isShuttingDown(); // A caller may have run the task that says so.
      takeArrivals();
      mustNotBlock = false;
      if (isShuttingDown()) {
        ioHandler().prepareToDestroy();
      }
      runRound();
    } while (!confirmShutdown());
  }

  /**
   * Takes what has arrived.
   *
   * @return whether there was anything
   */
  private boolean takeArrivals() {
    return arrivals.continueAfter(runIo()) > 0;
  }

  /**
   * Runs the tasks that are there now. What they ask for meanwhile waits until the sockets and the
   * timers have been looked at: devices that send without end ask for one turn in each other.
   *
   * @return whether there were any
   */
  private boolean runRound() {
    tasksLeft = UNCOUNTED;
    return runAllTasks(ROUND_NANOS);
  }

  /** {@inheritDoc} Null at the end of a round, too, which has the timers that are due by now. */
  @Override
  protected Runnable pollTask() {
    if (tasksLeft == UNCOUNTED) {
      tasksLeft = pendingTasks();
    }
    if (tasksLeft == 0) {
      return null;
    }
    tasksLeft--;
    return super.pollTask();
  }

  /** Whether a caller is awake who will run the loop soon, and no thread relies on the keeper. */
  private boolean mayRest() {
    if (!lends) {
      return false;
    }
    mustRunLoop = false; // Before the sleepers are counted: who falls asleep later says so again.
    boolean isSpunFor = failedLeases.get() >= FAILED_LEASES_BEFORE_REST;
    return isAnswered ? blockedThreads.get() <= 1 : isSpunFor && blockedThreads.get() == 0;
  }

  /** Lets callers run the loop as long as they do; then takes it again. */
  private void idle() {
    failedLeases.set(0);
    leave();
    boolean isRunByOthers;
    do {
      long before = looks.get();
      pause();
      runTasks();
      isRunByOthers = looks.get() != before;
    } while ((isRunByOthers && !mustRunLoop && !isShuttingDown()) || !take());
  }

  /** Unless the loop is free and there is something to do, which was asked for before it was. */
  private void pause() {
    if (driver.get() != null || (pendingTasks() == 0 && !mustRunLoop)) {
      Thread.interrupted(); // What a device runs may have interrupted it: it would not rest.
      LockSupport.parkNanos(this, REST_NANOS);
    }
  }

  /** Runs tasks that were submitted while no thread ran the loop. */
  private void runTasks() {
    if (pendingTasks() > 0 && take()) {
      runRound();
      leave();
    }
  }

  private boolean take() {
    return driver.get() == null && driver.compareAndSet(null, Thread.currentThread());
  }

  private void leave() {
    driver.set(null);
  }

  @Override
  public void execute(Runnable task) {
    super.execute(task);
    if (driver.get() == null) {
      LockSupport.unpark(loopThread);
    }
  }

  /**
   * Runs a task of a caller on its own thread if no thread runs the loop; otherwise on the loop,
   * soon. Only the first one since packets were looked for: what follows leaves together.
   */
  void executeHere(Runnable task) {
    if (hasSent || !tryAcquire()) {
      super.execute(task);
      return;
    }
    try {
      hasSent = true;
      task.run();
    } finally {
      release();
    }
  }

  @Override
  public boolean tryAcquire() {
    return lends && loopThread != null && !isShuttingDown() && take();
  }

  @Override
  public void release() {
    leave();
    boolean isRelied = blockedThreads.get() > 0;
    if (isRelied) {
      mustRunLoop = true;
    }
    if (isRelied || pendingTasks() > 0) {
      LockSupport.unpark(loopThread);
    }
  }

  @Override
  public void runUntil(long endNanos) {
    try {
      isBounded = true;
      boundNanos = endNanos;
      look();
    } finally {
      isBounded = false;
    }
  }

  /**
   * Runs what can be run now, if the caller can borrow the loop for that.
   *
   * @return whether there was anything
   */
  boolean runReady() {
    if (!tryAcquire()) {
      if (lends && failedLeases.get() < FAILED_LEASES_BEFORE_REST) {
        failedLeases.incrementAndGet(); // No further: who spins for a minute would overflow it.
      }
      return false;
    }
    try {
      mustNotBlock = true;
      return look();
    } finally {
      mustNotBlock = false;
      release();
    }
  }

  private boolean look() {
    looks.incrementAndGet();
    hasSent = false;
    boolean found = takeArrivals();
    return runRound() || found;
  }

  @Override
  public void beforeBlock() {
    blockedThreads.incrementAndGet();
    mustRunLoop = true;
    if (driver.get() == null) {
      LockSupport.unpark(loopThread);
    }
  }

  @Override
  public void afterBlock() {
    blockedThreads.decrementAndGet();
  }

  @Override
  public void notifyRunner(boolean isAwaited) {
    Thread running = driver.get();
    if (running == Thread.currentThread()) {
      isAnswered |= isAwaited;
    } else if (running != null && running != loopThread) {
      letLookAgain();
    }
  }

  private void letLookAgain() {
    try {
      execute(LeasableEventLoop::lookAgain);
    } catch (RejectedExecutionException e) {
      LOG.debug("The UDP network is closed; no thread runs it any more");
    }
  }

  /** A task for the caller who runs the loop: then it looks whether the news was for it. */
  private static void lookAgain() {}

  /** {@inheritDoc} To a thread that must not block it reports that there are some. */
  @Override
  protected boolean hasTasks() {
    return mustNotBlock || super.hasTasks();
  }

  @Override
  protected long deadlineNanos() {
    long planned = super.deadlineNanos();
    long bound = boundNanos - ticker().initialNanoTime();
    return isBounded && bound - planned < 0 ? bound : planned;
  }

  @Override
  protected long delayNanos(long nowNanos) {
    long planned = super.delayNanos(nowNanos);
    return isBounded ? Math.max(0, Math.min(planned, boundNanos - nowNanos)) : planned;
  }
}

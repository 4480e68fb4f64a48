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
 * An event loop with its own thread, which callers may run instead, one thread at a time. Its own
 * thread, the keeper, runs the loop until it has woken a caller. Then the keeper rests, as that
 * caller will soon wait again and can run the loop itself. The keeper checks from time to time
 * whether a caller does, and continues if not.
 */
final class LeasableEventLoop extends SingleThreadIoEventLoop implements LoopLease {
  /**
   * How long the keeper rests before it checks again. Packets and timers may wait for twice as
   * long, if a caller ran the loop last at the beginning of a rest.
   */
  private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

  /** Failed attempts to borrow the loop after which a caller counts as spinning, and may run it. */
  private static final int FAILED_LEASES_BEFORE_REST = 32;

  /**
   * Most times that callers send on their own threads before packets are looked for. Two, as the
   * connection manager may answer a reply and end the connection before it waits again.
   */
  private static final int SENDS_PER_LOOK = 2;

  /** Time limit of a round: more than its tasks take, so that their number ends it. */
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Value of {@link #tasksLeft} before the tasks of a round are counted. */
  private static final int UNCOUNTED = -1;

  private static final Logger LOG = LoggerFactory.getLogger(LeasableEventLoop.class);

  private final boolean lends;
  private final LoopTimers timers = new LoopTimers(this::lookOnce);
  private final ArrivalLooks arrivals = new ArrivalLooks(this::runIo, () -> pendingTasks() > 0);

  /** Thread that runs the loop, for Netty its event loop thread; null if none runs it. */
  private final AtomicReference<Thread> driver = new AtomicReference<>();

  /** Number of callers that sleep and rely on another thread to run the loop. */
  private final AtomicInteger blockedThreads = new AtomicInteger();

  /** The keeper; null before the loop has started. */
  private volatile Thread loopThread;

  /** Whether a caller relies on the keeper to run the loop. */
  private volatile boolean mustRunLoop;

  /** How often callers have looked for packets. */
  private final AtomicLong looks = new AtomicLong();

  /** Failed attempts of polling callers to borrow the loop since the keeper's last rest. */
  private final AtomicInteger failedLeases = new AtomicInteger();

  /** Number of times that callers have sent on their threads since packets were last looked for. */
  private final AtomicInteger sends = new AtomicInteger();

  // Used by the driver only.
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

  /** Timers that this loop wakes. */
  LoopTimers timers() {
    return timers;
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
      sends.set(0);
      mustNotBlock = isShuttingDown(); // A caller may have run the wake-up task.
      takeArrivals();
      mustNotBlock = false;
      if (isShuttingDown()) {
        ioHandler().prepareToDestroy();
      }
      runRound();
    } while (!confirmShutdown());
  }

  /**
   * Receives what has arrived.
   *
   * @return whether there was anything
   */
  private boolean takeArrivals() {
    return arrivals.continueAfter(runIo()) > 0;
  }

  /**
   * Wakes timers, and runs the tasks that are queued now. Tasks that these submit wait until
   * sockets and timers have been looked at: a device that sends without end submits its next turn
   * in each turn.
   *
   * @return whether there were any
   */
  private boolean runRound() {
    boolean hasWoken = timers.wakeDue() > 0;
    return runTasksOfRound() || hasWoken;
  }

  /** Lets devices send, then receives, but wakes no timer. Does not block while one is due. */
  private boolean lookOnce() {
    runTasksOfRound();
    return runIo() > 0;
  }

  private boolean runTasksOfRound() {
    tasksLeft = UNCOUNTED;
    return runAllTasks(ROUND_NANOS);
  }

  /**
   * {@inheritDoc} Returns null at the end of a round, too. The timers that are due at its start
   * belong to it.
   */
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

  /** Whether an awake caller will soon run the loop, and no other caller relies on the keeper. */
  private boolean mayRest() {
    if (!lends) {
      return false;
    }
    mustRunLoop = false; // Before blockedThreads is read: a caller that blocks later sets it again.
    boolean isSpunFor = failedLeases.get() >= FAILED_LEASES_BEFORE_REST;
    return isAnswered ? blockedThreads.get() <= 1 : isSpunFor && blockedThreads.get() == 0;
  }

  /** Leaves the loop to callers until they stop running it; then takes it again. */
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

  /** Parks the keeper, unless the loop is free and has work from before it was free. */
  private void pause() {
    if (driver.get() != null || (pendingTasks() == 0 && !mustRunLoop)) {
      Thread.interrupted(); // Left by device code, it would prevent parking.
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
   * Runs a task on the calling thread if no thread runs the loop; otherwise on the loop, soon. Only
   * the first {@value #SENDS_PER_LOOK} tasks since packets were last looked for: packets of later
   * ones leave together.
   */
  void executeHere(Runnable task) {
    if (sends.get() >= SENDS_PER_LOOK || !tryAcquire()) {
      super.execute(task);
      return;
    }
    try {
      sends.incrementAndGet();
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
   * Runs the loop once without blocking, if the caller can borrow it.
   *
   * @return whether there was anything
   */
  boolean runReady() {
    if (!tryAcquire()) {
      if (lends && failedLeases.get() < FAILED_LEASES_BEFORE_REST) {
        failedLeases.incrementAndGet(); // No further: long spinning would overflow it.
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
    sends.set(0);
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

  /** Empty task that wakes the caller who runs the loop, which then checks for its event. */
  private static void lookAgain() {}

  /** {@inheritDoc} Returns true to a thread that must not block, so that Netty does not sleep. */
  @Override
  protected boolean hasTasks() {
    return mustNotBlock || super.hasTasks();
  }

  @Override
  protected long deadlineNanos() {
    long originNanos = ticker().initialNanoTime();
    return wakeUpNanos(originNanos + super.deadlineNanos()) - originNanos;
  }

  @Override
  protected long delayNanos(long nowNanos) {
    return Math.max(0, wakeUpNanos(nowNanos + super.delayNanos(nowNanos)) - nowNanos);
  }

  /** Time at which a wait ends, unless an event of Netty is earlier. */
  private long wakeUpNanos(long nettysNanos) {
    long planned = timers.earliestNanos(nettysNanos);
    return isBounded && boundNanos - planned < 0 ? boundNanos : planned;
  }
}

package io.queuepair.udp;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.queuepair.emulator.fabric.Lending;
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
 * will soon wait again and can run the loop itself; it looks from time to time whether somebody
 * does, and goes on if not.
 */
final class SharedEventLoop extends SingleThreadIoEventLoop implements Lending {
  /**
   * How long the keeper rests before it looks again. Packets and timers may wait for twice as long,
   * if the last caller who ran the loop did so at the beginning of a rest.
   */
  private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

  /** After so many looks in vain somebody spins, who may run the loop from now on. */
  private static final int PATIENT_REFUSALS = 32;

  /** How often packets are looked for at most before those tasks that are there have their turn. */
  static final int MAX_LOOKS = 8;

  /** More than the tasks of a round take, so that their number is what ends it. */
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The tasks of a round are not counted yet. */
  private static final int UNCOUNTED = -1;

  private static final Logger LOG = LoggerFactory.getLogger(SharedEventLoop.class);

  private final boolean lends;

  /** Who runs the loop, or null: the thread that all of Netty takes for that of the loop. */
  private final AtomicReference<Thread> driver = new AtomicReference<>();

  /** Callers that sleep until another thread runs the loop. */
  private final AtomicInteger sleepers = new AtomicInteger();

  /** Null before anything was to be done. */
  private volatile Thread keeper;

  /** Whether somebody relies on the keeper. */
  private volatile boolean isNeeded;

  /** How often callers have looked for packets. */
  private final AtomicLong looks = new AtomicLong();

  /** How often callers who polled could not borrow the loop since the keeper rested. */
  private final AtomicInteger refusals = new AtomicInteger();

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
  SharedEventLoop(ThreadFactory threads, IoHandlerFactory handler, boolean lends) {
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
    assert isFirst : "somebody runs a loop that has not started";
    keeper = Thread.currentThread();
    ioHandler().initialize();
    do {
      if (mayRest()) {
        rest();
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
   * Takes what has arrived. One look brings little, so there are several before devices send on.
   *
   * @return whether there was anything
   */
  private boolean takeArrivals() {
    int looksLeft = MAX_LOOKS;
    int found = runIo();
    boolean isFirst = found > 0;
    while (found > 0 && pendingTasks() > 0 && --looksLeft > 0) {
      found = runIo();
    }
    return isFirst;
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

  /** Whether a caller is awake who will run the loop soon, and nobody relies on the keeper. */
  private boolean mayRest() {
    if (!lends) {
      return false;
    }
    isNeeded = false; // Before the sleepers are counted: who falls asleep later says so again.
    boolean isSpunFor = refusals.get() >= PATIENT_REFUSALS;
    return isAnswered ? sleepers.get() <= 1 : isSpunFor && sleepers.get() == 0;
  }

  /** Lets callers run the loop as long as they do; then takes it again. */
  private void rest() {
    refusals.set(0);
    leave();
    boolean isRunByOthers;
    do {
      long before = looks.get();
      pause();
      runTasks();
      isRunByOthers = looks.get() != before;
    } while ((isRunByOthers && !isNeeded && !isShuttingDown()) || !take());
  }

  /** Unless the loop is free and there is something to do, which was asked for before it was. */
  private void pause() {
    if (driver.get() != null || (pendingTasks() == 0 && !isNeeded)) {
      Thread.interrupted(); // What a device runs may have interrupted it: it would not rest.
      LockSupport.parkNanos(this, REST_NANOS);
    }
  }

  /** What was asked of the loop while nobody ran it. */
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
      LockSupport.unpark(keeper);
    }
  }

  /**
   * Runs a task of a caller on its own thread if nobody runs the loop; otherwise on the loop, soon.
   * Only the first one since packets were looked for: what follows leaves together.
   */
  void executeHere(Runnable task) {
    if (hasSent || !borrow()) {
      super.execute(task);
      return;
    }
    try {
      hasSent = true;
      task.run();
    } finally {
      giveBack();
    }
  }

  @Override
  public boolean borrow() {
    return lends && keeper != null && !isShuttingDown() && take();
  }

  @Override
  public void giveBack() {
    leave();
    boolean isRelied = sleepers.get() > 0;
    if (isRelied) {
      isNeeded = true;
    }
    if (isRelied || pendingTasks() > 0) {
      LockSupport.unpark(keeper);
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
    if (!borrow()) {
      if (lends && refusals.get() < PATIENT_REFUSALS) {
        refusals.incrementAndGet(); // No further: who spins for a minute would overflow it.
      }
      return false;
    }
    try {
      mustNotBlock = true;
      return look();
    } finally {
      mustNotBlock = false;
      giveBack();
    }
  }

  private boolean look() {
    looks.incrementAndGet();
    hasSent = false;
    boolean found = takeArrivals();
    return runRound() || found;
  }

  @Override
  public void fallAsleep() {
    sleepers.incrementAndGet();
    isNeeded = true;
    if (driver.get() == null) {
      LockSupport.unpark(keeper);
    }
  }

  @Override
  public void wokeUp() {
    sleepers.decrementAndGet();
  }

  @Override
  public void tell(boolean isAwaited) {
    Thread running = driver.get();
    if (running == Thread.currentThread()) {
      isAnswered |= isAwaited;
    } else if (running != null && running != keeper) {
      letLookAgain();
    }
  }

  private void letLookAgain() {
    try {
      execute(SharedEventLoop::lookAgain);
    } catch (RejectedExecutionException e) {
      LOG.debug("The UDP network is closed; nobody runs it any more");
    }
  }

  /** A task for the caller who runs the loop: then it looks whether the news was for it. */
  private static void lookAgain() {}

  /** {@inheritDoc} Who must not block is told that there are some. */
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

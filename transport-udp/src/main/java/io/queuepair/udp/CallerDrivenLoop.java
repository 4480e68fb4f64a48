// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.Future;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.emulator.fabric.SpinYield;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop without a thread: the application thread runs it when it polls or waits. The first
 * thread that does so, or that attaches a device, is its owner. Other threads may post: their
 * packets leave when the owner runs the loop. Other threads may close the loop while the owner runs
 * it, or after the owner has ended.
 */
final class CallerDrivenLoop implements ProgressLoop {
  private static final Logger LOG = LoggerFactory.getLogger(CallerDrivenLoop.class);

  /** Longest sleep of a wait before it checks again whether to go on. */
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * How long another thread waits for the owner. An owner that runs the loop answers at once; one
   * that does something else may never answer.
   */
  private static final long OWNER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long another thread waits before it checks whether the owner has ended. */
  private static final long OWNER_CHECK_MILLIS = 10;

  /** Timeout of a round that does not block. */
  private static final long NO_WAIT = -1;

  /** Polls of a spinning caller of which one also runs tasks and timers. */
  private static final int GLANCES_PER_ROUND = 16;

  /** Time limit for tasks: 0 for none, as no task is a device's turn to send. */
  private static final long ALL_TASKS = 0;

  private final RecoverableEventLoop events;
  private final LoopTimers timers = new LoopTimers(this::lookOnce);
  private final boolean spins;
  private volatile Thread owner;

  /** Whether the last wait of another thread for the owner timed out. */
  private volatile boolean isOwnerAway;

  /** Tasks of the owner, run before the loop's next round. */
  private final Queue<Runnable> postponed = new ArrayDeque<>();

  /** Used by the owner only. */
  private final ArrivalLooks arrivals;

  /** Polls of the sockets only, until one runs tasks and timers too. Used by the owner only. */
  private int glancesLeft;

  /** Used by the owner only. */
  private final SpinYield courtesy = new SpinYield();

  /** Whether the loop is running, which event handlers must not do. The owner's only. */
  private boolean isRunning;

  /**
   * Makes a loop without an owner.
   *
   * @param spins whether a wait polls for packets continuously instead of sleeping
   */
  CallerDrivenLoop(IoHandlerFactory driver, boolean spins) {
    events = new RecoverableEventLoop(driver);
    arrivals = new ArrivalLooks(this::glance, () -> !postponed.isEmpty());
    this.spins = spins;
  }

  @Override
  public EventLoop events() {
    return events;
  }

  @Override
  public ProgressMode progress() {
    return ProgressMode.CALLER_DRIVEN;
  }

  @Override
  public LoopTimers timers() {
    return timers;
  }

  @Override
  public void checkCallerMayOpen(String verb) {
    own();
  }

  /**
   * Makes the calling thread the owner, if there is none.
   *
   * @throws FabricException if another thread is the owner
   */
  private void own() {
    if (owner == null) {
      claim();
    }
    if (owner != Thread.currentThread()) {
      throw new FabricException(
          "Only the thread that first drove this network, "
              + owner.getName()
              + ", may poll, wait or attach devices; several threads need background mode"
              + " (UdpOptions.withProgress(BACKGROUND)).",
          null);
    }
  }

  private synchronized void claim() {
    if (owner == null) {
      events.setOwningThread(Thread.currentThread());
      owner = Thread.currentThread();
    }
  }

  @Override
  public boolean runNext(long nanos) {
    own();
    run(spins || nanos <= 0 ? NO_WAIT : Math.min(NAP_NANOS, nanos));
    return !events.isTerminated();
  }

  @Override
  public boolean runReady() {
    own();
    return run(NO_WAIT) > 0;
  }

  private int run(long waitNanos) {
    if (isRunning) {
      return 0;
    }
    if (isOwnerAway) {
      isOwnerAway = false;
    }
    int found = runPostponed();
    isRunning = true;
    try {
      found += look(postponed.isEmpty() ? waitNanos : NO_WAIT);
      while (events.isShuttingDown() && !events.isTerminated()) {
        // Another thread closes the network: shutdown must end now, as no thread may run the loop
        // later.
        found += events.run(NO_WAIT, ALL_TASKS);
      }
    } finally {
      isRunning = false;
    }
    courtesy.looked(found > 0);
    return found;
  }

  /** Receives what has arrived, and returns how much that was. */
  private int look(long waitNanos) {
    return arrivals.continueAfter(waitNanos == NO_WAIT ? glance() : await(waitNanos));
  }

  private int await(long waitNanos) {
    long nowNanos = System.nanoTime();
    long nanos = timers.earliestNanos(nowNanos + waitNanos) - nowNanos;
    return nanos > 0 ? round(nanos) : glance();
  }

  /** Handles sockets and tasks, waiting for them if it may, and wakes timers. */
  private int round(long waitNanos) {
    int found = events.run(waitNanos, ALL_TASKS);
    return found + timers.wakeDue();
  }

  /** Lets devices send, then receives, but wakes no timer. */
  private boolean lookOnce() {
    runPostponed();
    events.runNonBlockingTasks(ALL_TASKS);
    return events.runSockets() > 0;
  }

  private int runPostponed() {
    int postponedTasks = postponed.size();
    for (int i = 0; i < postponedTasks; i++) {
      postponed.remove().run();
    }
    return postponedTasks;
  }

  /** Polls once; a spinning caller runs tasks and timers at some polls only. */
  private int glance() {
    if (spins && glancesLeft > 0 && !events.isShuttingDown()) {
      glancesLeft--;
      return events.runSockets();
    }
    glancesLeft = GLANCES_PER_ROUND - 1;
    return round(NO_WAIT);
  }

  @Override
  public void execute(Runnable task) {
    if (events.inEventLoop() && isRunning) {
      postponed.add(task);
    } else {
      events.execute(task);
    }
  }

  @Override
  public boolean postponesAnswers() {
    return spins && isRunning;
  }

  @Override
  public void postpone(Runnable answers) {
    postponed.add(answers);
  }

  @Override
  public boolean await(Future<?> future, long nanos) {
    if (owner != null && owner != Thread.currentThread()) {
      awaitOwner(future);
      if (isOrphaned()) {
        events.runTasksAsSuccessor(future);
      }
      return future.isDone();
    }
    own();
    long end = System.nanoTime() + nanos;
    while (!future.isDone() && !isRunning && System.nanoTime() - end < 0) {
      run(Math.min(NAP_NANOS, nanos));
    }
    return future.isDone();
  }

  /** Waits for the owner's end, unless it has not run the loop since the last timeout. */
  private void awaitOwner(Future<?> future) {
    long end = System.nanoTime() + OWNER_TIMEOUT_NANOS;
    while (!isOwnerAway && !isOrphaned() && !future.awaitUninterruptibly(OWNER_CHECK_MILLIS)) {
      isOwnerAway = System.nanoTime() - end >= 0;
    }
  }

  /** Whether the owner has ended. All that it wrote is visible then (JLS 17.4.4). */
  private boolean isOrphaned() {
    return owner != null && !owner.isAlive();
  }

  @Override
  public void close() {
    if (isOrphaned()) {
      events.closeAsSuccessor();
      return;
    }
    Future<?> ended = events.shutdownGracefully(0, AWAIT_TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
    if (await(ended, AWAIT_TIMEOUT_NANOS)) {
      return;
    }
    if (isOrphaned()) {
      events.closeAsSuccessor(); // The owner has ended meanwhile.
    } else {
      LOG.warn("The UDP network ends when the thread that drives it runs it again");
    }
  }
}

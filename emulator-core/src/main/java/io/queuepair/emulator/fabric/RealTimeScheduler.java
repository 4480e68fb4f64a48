// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduler by the system clock. One daemon thread runs the events, or a thread that waits runs
 * them instead: one at a time. While callers run events the daemon thread rests, so that packets
 * need not go from one processor to another. It checks from time to time whether a caller still
 * runs events, and continues if none does, or if a blocked thread relies on it.
 */
final class RealTimeScheduler extends ClockScheduler implements LoopLease {
  private static final Logger LOG = LoggerFactory.getLogger(RealTimeScheduler.class);

  /** Maximum time that {@link #close} waits for the event that is running. */
  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Maximum time that events wait for the caller who ran the last ones; half on average. */
  private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

  private final SpinCondition earlierEventCondition = new SpinCondition(lock());
  private final SpinCondition restOverCondition = new SpinCondition(lock());
  private final Thread thread = new Thread(this::runEvents, "queuepair-fabric");

  /** Thread that runs an event, or waits for one to run; or null. Written under the lock. */
  private volatile @Nullable Thread runner;

  /** Number of threads that sleep until another runs the events. Guarded by the lock. */
  private int blockedThreads;

  /** Whether a caller has tried to run events since the last rest. Guarded by the lock. */
  private boolean hasLent;

  /** Whether the caller who runs the events was notified. Guarded by the lock. */
  private boolean hasNews;

  /** Whether the caller who runs the events has spun since the last one. Guarded by the lock. */
  private boolean hasRunnerSpun;

  private RealTimeScheduler() {
    thread.setDaemon(true);
  }

  static RealTimeScheduler started() {
    RealTimeScheduler scheduler = new RealTimeScheduler();
    scheduler.thread.start();
    return scheduler;
  }

  @Override
  public LoopLease lease() {
    return this;
  }

  @Override
  void signal() {
    if (runner != Thread.currentThread()) {
      earlierEventCondition.signal();
    }
  }

  @Override
  public void close() {
    super.close();
    if (Thread.currentThread() != thread && Thread.currentThread() != runner) {
      awaitEnd();
    }
  }

  private void awaitEnd() {
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, CLOSE_TIMEOUT_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (thread.isAlive()) {
      LOG.warn("The network is closed, but its thread is still busy with an event.");
    }
  }

  private void runEvents() {
    boolean isOpen = true;
    while (isOpen) {
      try {
        isOpen = runOne();
      } catch (RuntimeException | Error e) {
        LOG.error("An event of the network cannot be taken; the network continues.", e);
      }
    }
  }

  /** Waits for the next event and runs it; false once closed. */
  private boolean runOne() {
    Event event = awaitNext();
    if (event == null) {
      return false;
    }
    run(event);
    release();
    return true;
  }

  private static void run(Event event) {
    try {
      event.run();
    } catch (RuntimeException | Error e) {
      // One device's bug must not stop the network of the others.
      LOG.error("An event of the network failed; the network continues.", e);
    }
  }

  /** Waits for the next event and takes it, with those that it absorbs; null once closed. */
  private @Nullable Event awaitNext() {
    boolean hasSpun = false;
    lock().lock();
    try {
      while (!isClosed() || runner != null) {
        boolean rests = runner != null || (hasLent && blockedThreads == 0);
        Event event = rests ? null : takeDue();
        if (event != null) {
          runner = thread;
          return event;
        }
        if (rests) {
          hasLent = false;
          sleep(restOverCondition, REST_NANOS);
        } else if (hasSpun) {
          sleep(earlierEventCondition, waitNanos());
        } else {
          earlierEventCondition.spin(waitNanos());
          hasSpun = true;
        }
      }
      return null;
    } finally {
      lock().unlock();
    }
  }

  private static void sleep(SpinCondition condition, long nanos) {
    try {
      condition.sleep(nanos);
    } catch (InterruptedException e) {
      // An event interrupted this thread. If that ended the thread, every device would hang.
      LOG.debug("The thread of the network continues after an interrupt.");
    }
  }

  @Override
  public boolean tryAcquire() {
    lock().lock();
    try {
      hasLent = true;
      boolean isFree = runner == null && !isClosed();
      if (isFree) {
        runner = Thread.currentThread();
        hasRunnerSpun = false;
      }
      return isFree;
    } finally {
      lock().unlock();
    }
  }

  @Override
  public void release() {
    lock().lock();
    try {
      runner = null;
      earlierEventCondition.signal(); // Events that the runner scheduled did not signal.
      if (blockedThreads > 0 || isClosed()) {
        restOverCondition.signal();
      }
    } finally {
      lock().unlock();
    }
  }

  @Override
  public void runUntil(long endNanos) {
    Event event = awaitDue(endNanos);
    if (event != null) {
      run(event);
    }
  }

  /** Takes a due event for the caller who runs them; else waits for one, and returns null. */
  private @Nullable Event awaitDue(long endNanos) {
    lock().lock();
    try {
      Event event = takeDue();
      if (event == null && !hasNews && !isClosed()) {
        long nanos = Math.min(waitNanos(), endNanos - nowNanos());
        if (hasRunnerSpun) {
          earlierEventCondition.sleep(nanos);
        } else {
          earlierEventCondition.spin(nanos);
        }
        hasRunnerSpun = true;
      } else if (event != null) {
        hasRunnerSpun = false;
      }
      hasNews = false;
      return event;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock().unlock();
    }
  }

  /**
   * {@inheritDoc} Runs all events that are due at the beginning: the thread of the network rests
   * even if polls are rare. Events that these schedule wait for the next poll.
   */
  @Override
  public boolean runReady() {
    long nowNanos = nowNanos();
    boolean found = false;
    while (runDue(nowNanos)) {
      found = true;
    }
    return found;
  }

  /** Runs the next event that is due at a time, unless another thread runs one. */
  private boolean runDue(long nowNanos) {
    Event event = null;
    lock().lock();
    try {
      hasLent = true;
      if (runner == null) {
        event = takeDue(nowNanos);
        runner = event == null ? null : Thread.currentThread();
      }
    } finally {
      lock().unlock();
    }
    if (event == null) {
      return false;
    }
    run(event);
    release();
    return true;
  }

  @Override
  public void beforeBlock() {
    lock().lock();
    try {
      blockedThreads++;
      restOverCondition.signal();
    } finally {
      lock().unlock();
    }
  }

  @Override
  public void afterBlock() {
    lock().lock();
    try {
      blockedThreads--;
    } finally {
      lock().unlock();
    }
  }

  @Override
  public void notifyRunner(boolean isAwaited) {
    Thread running = runner;
    if (running != null && running != thread && running != Thread.currentThread()) {
      lock().lock();
      try {
        hasNews = true;
        earlierEventCondition.signal();
      } finally {
        lock().unlock();
      }
    }
  }
}

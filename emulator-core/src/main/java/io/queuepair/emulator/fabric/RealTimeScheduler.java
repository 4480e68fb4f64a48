// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The system clock, with one daemon thread that runs the events. Any thread may schedule. */
final class RealTimeScheduler implements EventLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RealTimeScheduler.class);

  /** How long {@link #close} waits for the event that is running. */
  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final SpinCondition earlierEvent = new SpinCondition(lock);
  private final long originNanos = System.nanoTime();
  private final long epochNanos = Scheduler.epochNanosAt(nowNanos());
  private final Thread thread = new Thread(this::runEvents, "queuepair-fabric");

  /** Guarded by the lock. */
  private final EventQueue events = new EventQueue();

  /** Guarded by the lock. */
  private boolean isClosed;

  private RealTimeScheduler() {
    thread.setDaemon(true);
  }

  static RealTimeScheduler started() {
    RealTimeScheduler scheduler = new RealTimeScheduler();
    scheduler.thread.start();
    return scheduler;
  }

  @Override
  public long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public long epochNanos() {
    return epochNanos;
  }

  @Override
  public ProgressMode progressMode() {
    return ProgressMode.BACKGROUND;
  }

  @Override
  public boolean runNext() {
    return false;
  }

  @Override
  public boolean runNextUntil(long endNanos) {
    return false;
  }

  @Override
  public void schedule(Event event, long deadlineNanos) {
    lock.lock();
    try {
      if (!isClosed) {
        events.add(event, deadlineNanos);
        noteScheduled(event);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void move(TimerEvent timer, long deadlineNanos) {
    lock.lock();
    try {
      if (!isClosed) {
        events.move(timer, deadlineNanos);
        noteScheduled(timer);
      }
    } finally {
      lock.unlock();
    }
  }

  private void noteScheduled(Event event) {
    if (events.peek() == event) {
      earlierEvent.signal();
    }
  }

  @Override
  public void cancel(TimerEvent timer) {
    lock.lock();
    try {
      events.remove(timer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      events.clear();
      earlierEvent.signal();
    } finally {
      lock.unlock();
    }
    if (Thread.currentThread() != thread) {
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
        // One device's bug must not stop the network of the others.
        LOG.error("An event of the network failed; the network continues.", e);
      }
    }
  }

  /** Waits for the next event and runs it; false once closed. */
  private boolean runOne() {
    Event event = awaitNext();
    if (event != null) {
      event.run();
    }
    return event != null;
  }

  /** The next event when its time has come, with those it absorbs; null once closed. */
  private @Nullable Event awaitNext() {
    boolean hasSpun = false;
    lock.lock();
    try {
      while (!isClosed) {
        Event event = events.peek();
        long waitNanos = event == null ? Long.MAX_VALUE : event.deadlineNanos - nowNanos();
        if (waitNanos <= 0) {
          return takeWithFollowers(event);
        }
        if (hasSpun) {
          sleep(waitNanos);
        } else {
          earlierEvent.spin(waitNanos);
          hasSpun = true;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void sleep(long nanos) {
    try {
      earlierEvent.sleep(nanos);
    } catch (InterruptedException e) {
      // An event left its mark on this thread. If that ended it, every device would hang.
      LOG.debug("The thread of the network continues after an interrupt.");
    }
  }

  private Event takeWithFollowers(Event first) {
    events.removeNext(first);
    long nowNanos = nowNanos();
    for (Event next = events.peek(); next != null; next = events.peek()) {
      if (next.deadlineNanos - nowNanos > 0 || !first.absorb(next)) {
        break;
      }
      events.removeNext(next);
    }
    return first;
  }
}

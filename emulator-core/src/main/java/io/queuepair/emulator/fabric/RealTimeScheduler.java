// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The system clock, with one daemon thread that runs the events. */
final class RealTimeScheduler extends ClockScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(RealTimeScheduler.class);

  /** How long {@link #close} waits for the event that is running. */
  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SpinCondition earlierEventCondition = new SpinCondition(lock());
  private final Thread thread = new Thread(this::runEvents, "queuepair-fabric");

  private RealTimeScheduler() {
    thread.setDaemon(true);
  }

  static RealTimeScheduler started() {
    RealTimeScheduler scheduler = new RealTimeScheduler();
    scheduler.thread.start();
    return scheduler;
  }

  @Override
  void signal() {
    earlierEventCondition.signal();
  }

  @Override
  public void close() {
    super.close();
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
    lock().lock();
    try {
      while (!isClosed()) {
        Event event = takeDue();
        if (event != null) {
          return event;
        }
        if (hasSpun) {
          sleep(waitNanos());
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

  private void sleep(long nanos) {
    try {
      earlierEventCondition.sleep(nanos);
    } catch (InterruptedException e) {
      // An event left its mark on this thread. If that ended it, every device would hang.
      LOG.debug("The thread of the network continues after an interrupt.");
    }
  }
}

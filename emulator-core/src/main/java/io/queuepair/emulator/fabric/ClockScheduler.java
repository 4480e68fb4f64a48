// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Scheduler by the system clock. One thread at a time runs its events; any may schedule. */
abstract class ClockScheduler implements EventLoop {
  private final ReentrantLock lock = new ReentrantLock();
  private final long originNanos = System.nanoTime();
  private final long epochNanos = Scheduler.epochNanosAt(nowNanos());

  /** Guarded by the lock. */
  private final EventQueue events = new EventQueue();

  /** Guarded by the lock. */
  private boolean isClosed;

  /** Lock that guards the events. It is free while an event runs. */
  final ReentrantLock lock() {
    return lock;
  }

  /** Whether the scheduler is closed; the caller holds the lock. */
  final boolean isClosed() {
    return isClosed;
  }

  /** Called when the next event became an earlier one, or on closing; the caller holds the lock. */
  abstract void signal();

  @Override
  public final long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public final long epochNanos() {
    return epochNanos;
  }

  @Override
  public final ProgressMode progressMode() {
    return ProgressMode.BACKGROUND;
  }

  @Override
  public final boolean runNext() {
    return false;
  }

  @Override
  public final boolean runNextUntil(long endNanos) {
    return false;
  }

  @Override
  public final void schedule(Event event, long deadlineNanos) {
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
  public final void move(TimerEvent timer, long deadlineNanos) {
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
      signal();
    }
  }

  @Override
  public final void cancel(TimerEvent timer) {
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
      signal();
    } finally {
      lock.unlock();
    }
  }

  /** Nanoseconds until the next event, at most 0 if due, MAX_VALUE if none; under the lock. */
  final long waitNanos() {
    Event event = events.peek();
    return event == null ? Long.MAX_VALUE : event.deadlineNanos - nowNanos();
  }

  /** Removes the next event as {@link #takeDue(long)}, if it is due now. */
  final @Nullable Event takeDue() {
    return takeDue(nowNanos());
  }

  /** Removes the event that is due, with those it absorbs, or returns null; under the lock. */
  final @Nullable Event takeDue(long nowNanos) {
    Event first = events.peek();
    if (first == null || first.deadlineNanos - nowNanos > 0) {
      return null;
    }
    events.removeNext(first);
    for (Event next = events.peek(); next != null; next = events.peek()) {
      if (next.deadlineNanos - nowNanos > 0 || !first.absorb(next)) {
        break;
      }
      events.removeNext(next);
    }
    return first;
  }
}

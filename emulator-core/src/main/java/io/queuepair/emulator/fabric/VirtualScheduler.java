package io.queuepair.emulator.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * Simulated time: starts at 0 and jumps from event to event. Belongs to one thread at a time; the
 * same calls give the same order of events.
 */
final class VirtualScheduler implements EventLoop {
  private final EventQueue events = new EventQueue();
  private final List<Witness> witnesses = new ArrayList<>();
  private final boolean pollRunsEvents;
  private long nowNanos;
  private boolean isClosed;

  VirtualScheduler(boolean pollRunsEvents) {
    this.pollRunsEvents = pollRunsEvents;
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public Progress progress() {
    return Progress.VIRTUAL;
  }

  @Override
  public void add(Witness witness) {
    witnesses.add(witness);
  }

  @Override
  public void remove(Witness witness) {
    witnesses.remove(witness);
  }

  @Override
  public List<Witness> witnesses() {
    return List.copyOf(witnesses);
  }

  @Override
  public boolean pollRunsEvents() {
    return pollRunsEvents;
  }

  /** Runs one event. What it throws reaches the caller, and the next call goes on behind it. */
  @Override
  public boolean runNext() {
    Event event = events.peek();
    if (event == null) {
      return false;
    }
    events.removeNext(event);
    if (event.deadlineNanos - nowNanos > 0) {
      nowNanos = event.deadlineNanos;
    }
    event.run();
    return true;
  }

  @Override
  public boolean runNextUntil(long endNanos) {
    Event event = events.peek();
    if (event != null && event.deadlineNanos - endNanos <= 0) {
      return runNext();
    }
    if (endNanos - nowNanos > 0) {
      nowNanos = endNanos;
    }
    return true;
  }

  @Override
  public void schedule(Event event, long deadlineNanos) {
    if (!isClosed) {
      events.add(event, deadlineNanos);
    }
  }

  @Override
  public void move(TimerEvent timer, long deadlineNanos) {
    if (!isClosed) {
      events.move(timer, deadlineNanos);
    }
  }

  @Override
  public void cancel(TimerEvent timer) {
    events.remove(timer);
  }

  @Override
  public void close() {
    isClosed = true;
    events.clear();
  }
}

package io.queuepair.emulator.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Simulated time: starts at 0 and jumps from event to event. Belongs to one thread at a time, which
 * is checked; the same calls give the same order of events.
 */
final class VirtualScheduler implements EventLoop {
  private final EventQueue events = new EventQueue();
  private final List<Witness> witnesses = new ArrayList<>();
  private final boolean pollRunsEvents;
  private final ThreadConfinement threads = new ThreadConfinement();
  private final EmptyPolls emptyPolls;
  private long eventsRun;
  private long nowNanos;
  private boolean isClosed;

  VirtualScheduler(boolean pollRunsEvents, long maxEmptyPolls) {
    this.pollRunsEvents = pollRunsEvents;
    emptyPolls = new EmptyPolls(maxEmptyPolls, this);
    witnesses.add(threads);
  }

  @Override
  public void acquire() {
    threads.acquire();
  }

  @Override
  public void release() {
    threads.release();
  }

  @Override
  public void pollFoundSomething() {
    emptyPolls.foundSomething();
  }

  @Override
  public Optional<String> pollFoundNothing() {
    return emptyPolls.foundNothing(eventsRun, events.peek() == null);
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
    acquire();
    witnesses.add(witness);
    release();
  }

  @Override
  public void remove(Witness witness) {
    acquire();
    witnesses.remove(witness);
    release();
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
    acquire();
    try {
      Event event = events.peek();
      if (event == null) {
        return false;
      }
      run(event);
      return true;
    } finally {
      release();
    }
  }

  private void run(Event event) {
    events.removeNext(event);
    eventsRun++;
    if (event.deadlineNanos - nowNanos > 0) {
      nowNanos = event.deadlineNanos;
    }
    event.run();
  }

  @Override
  public boolean runNextUntil(long endNanos) {
    acquire();
    try {
      Event event = events.peek();
      if (event != null && event.deadlineNanos - endNanos <= 0) {
        run(event);
      } else if (endNanos - nowNanos > 0) {
        nowNanos = endNanos;
      }
      return true;
    } finally {
      release();
    }
  }

  @Override
  public void schedule(Event event, long deadlineNanos) {
    acquire();
    if (!isClosed) {
      events.add(event, deadlineNanos);
    }
    release();
  }

  @Override
  public void move(TimerEvent timer, long deadlineNanos) {
    acquire();
    if (!isClosed) {
      events.move(timer, deadlineNanos);
    }
    release();
  }

  @Override
  public void cancel(TimerEvent timer) {
    acquire();
    events.remove(timer);
    release();
  }

  @Override
  public void close() {
    acquire();
    isClosed = true;
    events.clear();
    release();
  }
}

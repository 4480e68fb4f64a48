// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Scheduler in simulated time, which starts at 0 and jumps from event to event. It belongs to one
 * thread at a time, which is checked. The same calls give the same order of events.
 */
final class VirtualScheduler implements EventLoop, VirtualNetwork {
  private final EventQueue events = new EventQueue();
  private final boolean pollRunsEvents;
  private final ThreadConfinement threads = new ThreadConfinement();
  private final BlockedWork blockedWork = new BlockedWork(this, threads);
  private final LivelockDetector livelockDetector = new LivelockDetector(this);

  /** Number of empty polls in a row before a poll may fail. */
  private final long maxEmptyPolls;

  /** Number of polls in a row that found nothing. */
  private long emptyPolls;

  /** Number of the latest of these polls between which the network ran no event. */
  private long idlePolls;

  /** Value of {@link #eventsRun} at the latest of these polls. */
  private long eventsRunAtPoll;

  private long eventsRun;
  private long nowNanos;
  private boolean isClosed;

  /** Turns of threads; null if the emulator has started none. */
  private volatile @Nullable ThreadTurns turns;

  VirtualScheduler(boolean pollRunsEvents, long maxEmptyPolls) {
    this.pollRunsEvents = pollRunsEvents;
    this.maxEmptyPolls = maxEmptyPolls;
  }

  @Override
  public void acquire() {
    ThreadTurns threadTurns = turns;
    if (threadTurns != null) {
      threadTurns.enter();
    }
    threads.acquire();
  }

  @Override
  public void beginVerb(String verb) {
    ThreadTurns threadTurns = turns;
    if (threadTurns != null && threads.inside() != Thread.currentThread()) {
      threadTurns.verbBegins(verb);
    }
  }

  @Override
  public Optional<VirtualNetwork> virtualNetwork() {
    return Optional.of(this);
  }

  @Override
  public Optional<ThreadTurns> turns() {
    return Optional.ofNullable(turns);
  }

  @Override
  public void takeTurns(ThreadTurns newTurns) {
    turns = newTurns;
    blockedWork.replaceFirst(
        newTurns); // Replaces the confinement, as several threads are allowed now.
  }

  @Override
  public boolean hasEvent() {
    return events.peek() != null;
  }

  @Override
  public long nextEventNanos() {
    Event next = events.peek();
    return next == null ? nowNanos : next.deadlineNanos;
  }

  @Override
  public @Nullable Thread inside() {
    return threads.inside();
  }

  @Override
  public int leave() {
    return threads.leave();
  }

  @Override
  public void comeBack(int depth) {
    threads.comeBack(depth);
  }

  @Override
  public void release() {
    threads.release();
  }

  @Override
  public void pollFoundSomething() {
    emptyPolls = 0;
    idlePolls = 0;
    livelockDetector.restart();
  }

  @Override
  public Optional<String> pollFoundNothing() {
    ThreadTurns threadTurns = turns;
    if (threadTurns != null && threadTurns.isAnyBlockedOutside()) {
      return Optional.empty();
    }
    emptyPolls++;
    idlePolls = eventsRun == eventsRunAtPoll ? idlePolls + 1 : 0;
    eventsRunAtPoll = eventsRun;
    String reason = emptyPolls < maxEmptyPolls ? null : whyPollsAreInVain();
    if (reason == null) {
      return Optional.empty();
    }
    String polls = "the last " + emptyPolls + " polls found nothing, and ";
    pollFoundSomething();
    return Optional.of(polls + reason);
  }

  private @Nullable String whyPollsAreInVain() {
    if (idlePolls >= maxEmptyPolls) {
      return hasEvent() ? "polls do not run the network" : "the network is idle";
    }
    return idlePolls == 0 && livelockDetector.isExhausted() ? LivelockDetector.REASON : null;
  }

  @Override
  public BlockedWork blockedWork() {
    return blockedWork;
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public ProgressMode progressMode() {
    return ProgressMode.VIRTUAL;
  }

  @Override
  public boolean pollRunsEvents() {
    return pollRunsEvents;
  }

  /** Runs one event and rethrows its exception; the next call runs the event after it. */
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

  @Override
  public boolean runReady() {
    return pollRunsEvents && runNext();
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

  /**
   * Lets one thread in at a time. It refuses other threads instead of blocking them, as Kafka's
   * consumer does: threads may take turns, but two at once would make the order of events random.
   */
  private static final class ThreadConfinement implements BlockedWorkReporter {
    private static final int MAX_NAMES = 8;

    private static final String WAYS_OUT =
        "let the emulator start the threads (Emulator.start), and they take turns; threads that run"
            + " at the same time need real time (InMemoryFabric.realTime()) or UDP";

    private final AtomicReference<Thread> inside = new AtomicReference<>();

    /** Number of times that the thread inside entered and did not leave; only it reads this. */
    private int depth;

    /** Latest thread inside. Only the thread inside uses this field and {@link #names}. */
    private WeakReference<Thread> last = new WeakReference<>(null);

    private final Set<String> names = new LinkedHashSet<>();

    /**
     * Lets the calling thread in, also if it is inside already.
     *
     * @throws FabricException if another thread is inside
     */
    void acquire() {
      Thread current = Thread.currentThread();
      if (inside.get() != current) {
        Thread other = inside.compareAndExchange(null, current);
        if (other != null) {
          throw new FabricException(
              "this network is in virtual time, which belongs to one thread at a time: thread "
                  + nameOf(other)
                  + " waits or works in it, so thread "
                  + nameOf(current)
                  + " may not; "
                  + WAYS_OUT,
              null);
        }
        if (!last.refersTo(current)) {
          note(current);
        }
      }
      depth++;
    }

    private void note(Thread current) {
      last = new WeakReference<>(current);
      if (names.size() < MAX_NAMES) {
        names.add(nameOf(current));
      }
    }

    private static String nameOf(Thread thread) {
      String name = thread.getName(); // Empty for an unnamed virtual thread.
      return name.isEmpty() ? "#" + thread.getId() : name;
    }

    /** Leaves once; the thread is outside after as many calls as it has entered. */
    void release() {
      depth--;
      if (depth == 0) {
        inside.setRelease(null);
      }
    }

    @Nullable Thread inside() {
      return inside.get();
    }

    /**
     * Lets the calling thread leave at once; returns how often it had entered, 0 if it was outside.
     */
    int leave() {
      if (inside.get() != Thread.currentThread()) {
        return 0;
      }
      int left = depth;
      depth = 0;
      inside.setRelease(null);
      return left;
    }

    /** Lets the calling thread enter again, as often as {@link #leave} returned. */
    void comeBack(int left) {
      if (left > 0) {
        acquire();
        depth = left;
      }
    }

    /** Names the threads: a vain wait is often for what another thread would have done. */
    @Override
    public List<String> describeBlockedWork() {
      if (names.size() < 2) {
        return List.of();
      }
      return List.of(
          "threads "
              + String.join(", ", names)
              + " have used this network in turn, and in virtual time no wait lasts until another"
              + " thread does something; "
              + WAYS_OUT);
    }
  }
}

package io.queuepair.emulator.fabric;

import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets one thread in at a time. It is a lock that refuses instead of blocking, as that of Kafka's
 * consumer: threads may take turns, but two at once would make the order of events a matter of
 * chance.
 */
final class ThreadConfinement implements Scheduler.Witness {
  /** Threads that are named, at most. */
  private static final int MAX_NAMES = 8;

  private static final String WAYS_OUT =
      "threads that run at the same time need real time (InMemoryFabric.realTime()) or UDP";

  private final AtomicReference<Thread> inside = new AtomicReference<>();

  /** How often the thread inside has entered and not left. Of that thread alone. */
  private int depth;

  /** Who was inside last, and all names so far, in order. Of the thread inside. */
  private WeakReference<Thread> last = new WeakReference<>(null);

  private final Set<String> names = new LinkedHashSet<>();

  /**
   * Lets the calling thread in, also if it is inside already.
   *
   * @throws FabricException if another thread is
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
    String name = thread.getName(); // Of a virtual thread it is empty.
    return name.isEmpty() ? "#" + thread.getId() : name;
  }

  /** Ends what {@link #acquire} began; the thread has left once it ended all of it. */
  void release() {
    depth--;
    if (depth == 0) {
      inside.setRelease(null);
    }
  }

  /** A wait in vain is often one for what another thread would have done. */
  @Override
  public List<String> waitsFor() {
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

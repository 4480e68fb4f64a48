// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners of the application for completion and asynchronous events. Events are collected under
 * the driver's lock and delivered in order, without a lock, by the thread that ends a step.
 */
final class EventListeners {
  private static final Logger LOG = LoggerFactory.getLogger(EventListeners.class);

  /** Sources: each returns a listener's next call, or null. Guarded by the driver's lock. */
  private final List<Supplier<@Nullable Runnable>> sources = new ArrayList<>();

  private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isTelling = new AtomicBoolean();

  /**
   * Adds a source; under the driver's lock.
   *
   * @param source takes an event, under that lock; null if there is none
   */
  public void add(Supplier<@Nullable Runnable> source) {
    sources.add(source);
  }

  /** Removes a source; under the driver's lock. */
  public void remove(@Nullable Supplier<@Nullable Runnable> source) {
    sources.remove(source);
  }

  /** Collects the events of all sources; under the driver's lock. */
  void collect() {
    for (int i = 0; i < sources.size(); i++) {
      Supplier<@Nullable Runnable> source = sources.get(i);
      for (Runnable call = source.get(); call != null; call = source.get()) {
        due.add(call);
      }
    }
  }

  /** Delivers collected events, unless another thread does so already; no lock is held. */
  void tell() {
    while (!due.isEmpty() && isTelling.compareAndSet(false, true)) {
      try {
        for (Runnable call = due.poll(); call != null; call = due.poll()) {
          tell(call);
        }
      } finally {
        isTelling.set(false);
      }
    }
  }

  private static void tell(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException thrown) {
      LOG.error("A listener for events has thrown; the device continues", thrown);
    }
  }
}

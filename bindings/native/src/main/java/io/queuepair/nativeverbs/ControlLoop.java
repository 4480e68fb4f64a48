// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits with epoll(7) for descriptors of the service and runs their actions, one at a time.
 * Watching, unwatching and waking are thread-safe.
 */
final class ControlLoop {
  private final int epoll = Kernel.required(Kernel.epoll());
  private final int ownBell = Kernel.required(Kernel.eventFd());
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, Runnable> actions = new ConcurrentHashMap<>();
  private final Map<Integer, Long> idsOfDescriptors = new ConcurrentHashMap<>();

  ControlLoop() {
    Kernel.required(Kernel.watch(epoll, ownBell, Kernel.READABLE | Kernel.EDGE_TRIGGERED, 0));
  }

  /**
   * Runs an action on each event of a descriptor, as long as it is watched.
   *
   * @param events readable, writable, or 0; a closed other end is reported in any case
   */
  void watch(int descriptor, int events, Runnable action) {
    long id = ids.incrementAndGet();
    actions.put(id, action);
    idsOfDescriptors.put(descriptor, id);
    Kernel.required(Kernel.watch(epoll, descriptor, events, id));
  }

  /** Makes {@link #runOnce} return soon. */
  void wake() {
    Kernel.ring(ownBell);
  }

  /** Stops watching a descriptor; called before the descriptor is closed. */
  void unwatch(int descriptor) {
    Kernel.unwatch(epoll, descriptor);
    Long id = idsOfDescriptors.remove(descriptor);
    if (id != null) {
      actions.remove(id);
    }
  }

  /**
   * Waits for one event and runs its action.
   *
   * @param millis how long at most; -1 for ever
   */
  void runOnce(int millis) {
    long id = Kernel.await(epoll, millis);
    Runnable action = id < 0 ? null : actions.get(id);
    if (action != null) {
      action.run();
    }
  }
}

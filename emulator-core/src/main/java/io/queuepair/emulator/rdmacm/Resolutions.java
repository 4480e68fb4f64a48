// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Addresses that no host has answered for yet, and when that is given up. */
final class Resolutions {
  private final Map<IdContext, Pending> pending = new LinkedHashMap<>();

  private record Pending(long deadlineNanos, Runnable giveUp) {}

  void add(IdContext id, long deadlineNanos, Runnable giveUp) {
    pending.put(id, new Pending(deadlineNanos, giveUp));
  }

  void remove(IdContext id) {
    pending.remove(id);
  }

  boolean hasDeadline() {
    return !pending.isEmpty();
  }

  long nextDeadlineNanos() {
    long next = pending.values().iterator().next().deadlineNanos();
    for (Pending each : pending.values()) {
      next = each.deadlineNanos() - next < 0 ? each.deadlineNanos() : next;
    }
    return next;
  }

  void expire(long nowNanos) {
    for (Map.Entry<IdContext, Pending> entry : List.copyOf(pending.entrySet())) {
      if (nowNanos - entry.getValue().deadlineNanos() >= 0) {
        pending.remove(entry.getKey());
        entry.getValue().giveUp().run();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.SharedReceiveRing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Shared receive queues of a device by number. */
public final class SrqTable {
  /** First number; 0 stands for no queue. */
  private static final int FIRST_NUMBER = 1;

  /** Queues by number, from {@link #FIRST_NUMBER}; null where one was destroyed. */
  private final List<@Nullable SharedReceiveRing> rings = new ArrayList<>();

  private final Deque<Integer> freeNumbers = new ArrayDeque<>();

  public SharedReceiveRing add(IntFunction<SharedReceiveRing> create) {
    if (freeNumbers.isEmpty()) {
      SharedReceiveRing ring = create.apply(FIRST_NUMBER + rings.size());
      rings.add(ring);
      return ring;
    }
    int number = freeNumbers.removeFirst();
    SharedReceiveRing ring = create.apply(number);
    rings.set(number - FIRST_NUMBER, ring);
    return ring;
  }

  public void remove(SharedReceiveRing ring) {
    rings.set(ring.number() - FIRST_NUMBER, null);
    freeNumbers.addLast(ring.number());
  }

  /** Number of shared receive queues. */
  public int size() {
    return rings.size() - freeNumbers.size();
  }

  /** Whether a queue of an XRC domain completes its receives to {@code ring}. */
  public boolean useFor(int xrcDomain, CompletionRing ring) {
    for (SharedReceiveRing queue : rings) {
      boolean isOfDomain =
          queue != null && queue.xrc() != null && queue.xrc().xrcDomain() == xrcDomain;
      if (isOfDomain && queue.xrc().completions() == ring) {
        return true;
      }
    }
    return false;
  }

  public @Nullable SharedReceiveRing find(int number) {
    int index = number - FIRST_NUMBER;
    return index >= 0 && index < rings.size() ? rings.get(index) : null;
  }
}

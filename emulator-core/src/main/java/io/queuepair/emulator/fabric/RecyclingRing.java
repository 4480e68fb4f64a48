// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * FIFO ring of reusable objects. One thread at a time sends objects, and one, possibly another,
 * returns them in the same order. Its size has a limit.
 */
final class RecyclingRing<T> {
  private static final int FIRST_ROOM = 4;

  private final int limit;

  /** Objects by number of departure; null for one that is not to be used again. */
  private @Nullable Object[] ring = new Object[FIRST_ROOM];

  private long left;
  private final AtomicLong returned = new AtomicLong();

  /**
   * Creates an empty ring.
   *
   * @param limit maximum number of objects that are kept, a power of two
   */
  RecyclingRing(int limit) {
    assert Integer.bitCount(limit) == 1 : limit;
    this.limit = limit;
  }

  /** Number of objects that are under way. */
  long underWay() {
    return left - returned.get();
  }

  /** Returned object for the next departure; null if a new one has to be created. */
  @SuppressWarnings("unchecked") // Only what leaves is in the ring.
  @Nullable T next() {
    if (underWay() >= ring.length) {
      if (ring.length == limit) {
        return null;
      }
      grow();
    }
    return (T) ring[placeOf(left, ring)];
  }

  private void grow() {
    Object[] larger = new Object[2 * ring.length];
    for (long number = left - ring.length; number < left; number++) {
      larger[placeOf(number, larger)] = ring[placeOf(number, ring)];
    }
    ring = larger;
  }

  private static int placeOf(long number, Object[] ring) {
    return (int) number & (ring.length - 1);
  }

  /** Records a departure: of {@link #next}, of a new object, or null if it must not be reused. */
  void leave(@Nullable T object) {
    int place = placeOf(left, ring);
    if (underWay() < ring.length && ring[place] != object) {
      ring[place] = object;
    }
    left++;
  }

  /** Visits the objects under way, and possibly some that are returned meanwhile. */
  @SuppressWarnings("unchecked") // Only what leaves is in the ring.
  void forEachUnderWay(Consumer<T> visitor) {
    for (long number = Math.max(returned.get(), left - ring.length); number < left; number++) {
      Object object = ring[placeOf(number, ring)];
      if (object != null) {
        visitor.accept((T) object);
      }
    }
  }

  /** Returns the oldest objects under way. The thread that sends sees this at once or soon. */
  void recycle(int count) {
    returned.setRelease(returned.getPlain() + count);
  }
}

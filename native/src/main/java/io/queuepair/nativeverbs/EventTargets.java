// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.util.IdentityHashMap;
import java.util.function.LongConsumer;

/**
 * Where the structures of C are of objects that events are about. Thread-safe: once an object was
 * removed, no event about it is passed to C any more.
 */
final class EventTargets {
  private static final IdentityHashMap<Object, Long> POINTERS = new IdentityHashMap<>();

  private EventTargets() {}

  static synchronized void put(Object object, long pointer) {
    POINTERS.put(object, pointer);
  }

  static synchronized void remove(Object object) {
    POINTERS.remove(object);
  }

  /**
   * Passes an event about an object, unless C does not know it, or no more.
   *
   * @param pass takes the pointer; must not block
   */
  static synchronized void passAbout(Object object, LongConsumer pass) {
    Long pointer = POINTERS.get(object);
    if (pointer != null) {
      pass.accept(pointer);
    }
  }
}

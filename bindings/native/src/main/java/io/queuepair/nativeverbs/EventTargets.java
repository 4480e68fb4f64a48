// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.UserContextHolder;
import java.util.function.LongConsumer;

/**
 * Where the structures of C are of objects that events are about: their user contexts. Thread-safe:
 * once an object was removed, no event about it is passed to C any more.
 */
final class EventTargets {
  private EventTargets() {}

  static synchronized void put(UserContextHolder object, long pointer) {
    object.setUserContext(pointer);
  }

  static synchronized void remove(UserContextHolder object) {
    object.setUserContext(null);
  }

  /**
   * Passes an event about an object, unless C does not know it, or no more.
   *
   * @param pass takes the pointer; must not block
   */
  static synchronized void passAbout(UserContextHolder object, LongConsumer pass) {
    if (object.userContext() instanceof Long pointer) {
      pass.accept(pointer);
    }
  }
}

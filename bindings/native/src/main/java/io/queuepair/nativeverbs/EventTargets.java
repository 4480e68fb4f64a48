// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.UserContextHolder;
import java.nio.ByteBuffer;

/**
 * User contexts of objects that have events: where their structures of C are. Thread-safe: after
 * the removal of an object no event about it reaches C.
 */
final class EventTargets {
  private static final int POINTER = 0;
  private static final int EVENTS = 7;

  /**
   * Target of the events of an object.
   *
   * @param pointer address of its structure in C
   * @param events socket of the context that created the object
   */
  private record Target(long pointer, EventSocket events) {}

  private EventTargets() {}

  /** Stores the target that a creating call names in its arguments. */
  static synchronized void put(UserContextHolder object, ByteBuffer args) {
    EventSocket events = Handles.get(Args.slot(args, EVENTS), EventSocket.class);
    object.setUserContext(new Target(Args.slot(args, POINTER), events));
  }

  static synchronized void remove(UserContextHolder object) {
    object.setUserContext(null);
  }

  /** Sends an asynchronous event about an object, unless it is unknown to C or removed. */
  static synchronized void pass(UserContextHolder object, int type) {
    if (object.userContext() instanceof Target target) {
      target.events.send(type, target.pointer);
    }
  }

  /** Sends a notification about an object on a channel, on the same condition. */
  static synchronized void notify(UserContextHolder object, EventSocket channel) {
    if (object.userContext() instanceof Target target) {
      channel.send(target.pointer);
    }
  }
}

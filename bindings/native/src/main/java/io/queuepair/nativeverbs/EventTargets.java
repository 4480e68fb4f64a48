// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.UserContextHolder;
import java.nio.ByteBuffer;

/**
 * Where the structures of C are of objects that events are about: their user contexts. Thread-safe:
 * once an object was removed, no event about it is passed to C any more.
 */
final class EventTargets {
  private static final int POINTER = 0;
  private static final int EVENTS = 7;

  /**
   * A structure.
   *
   * @param events of the context with which the object was made
   */
  private record Target(long pointer, EventSocket events) {}

  private EventTargets() {}

  /** Keeps what the arguments of the call say that makes an object. */
  static synchronized void put(UserContextHolder object, ByteBuffer args) {
    EventSocket events = Handles.get(Args.slot(args, EVENTS), EventSocket.class);
    object.setUserContext(new Target(Args.slot(args, POINTER), events));
  }

  static synchronized void remove(UserContextHolder object) {
    object.setUserContext(null);
  }

  /** Passes an asynchronous event about an object, unless C does not know it, or no more. */
  static synchronized void pass(UserContextHolder object, int type) {
    if (object.userContext() instanceof Target target) {
      target.events.send(type, target.pointer);
    }
  }

  /** Passes a notification about an object to a channel, in the same way. */
  static synchronized void notify(UserContextHolder object, EventSocket channel) {
    if (object.userContext() instanceof Target target) {
      channel.send(target.pointer);
    }
  }
}

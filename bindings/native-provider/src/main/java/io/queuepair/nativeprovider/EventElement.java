// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.UserContextHolder;

/** An object that asynchronous events are about ({@code element} of {@code ibv_async_event}). */
abstract class EventElement extends NativeObject implements UserContextHolder {
  private final UnacknowledgedEvents asyncEvents = new UnacknowledgedEvents();

  /** Object attached by the program. */
  private volatile Object userContext;

  EventElement(NativeContext context, long address) {
    super(context, address);
  }

  @Override
  public final Object userContext() {
    return userContext;
  }

  @Override
  public final void setUserContext(Object newUserContext) {
    userContext = newUserContext;
  }

  final UnacknowledgedEvents asyncEvents() {
    return asyncEvents;
  }

  /** Acknowledges all events, of a type that is of such objects. */
  final void acknowledgeAsyncEvents(EventType type) {
    for (int left = asyncEvents.giveUp(); left > 0; left--) {
      NativeAsyncEvents.acknowledge(identity(), type);
    }
  }
}

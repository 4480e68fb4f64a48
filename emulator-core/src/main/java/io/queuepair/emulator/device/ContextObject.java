// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An object that goes with its context. It keeps those that it needs from being destroyed. */
abstract class ContextObject {
  /** Requests that a queue holds at most, in every built-in profile. */
  private static final int LONGEST_QUEUE = 1 << 20;

  private final EmulatedContext context;
  private final HcaDriver driver;
  private final ObjectLifecycle lifecycle;
  private final List<ObjectLifecycle> neededLifecycles;

  /**
   * Made by a verb, to be adopted by its context.
   *
   * @param what the kind of object, for messages
   * @param neededLifecycles objects that it is made of
   */
  ContextObject(EmulatedContext context, String what, List<ObjectLifecycle> neededLifecycles) {
    this.context = context;
    driver = context.driver();
    lifecycle = new ObjectLifecycle(what);
    this.neededLifecycles = neededLifecycles;
  }

  /** The context that it goes with. */
  public final EmulatedContext context() {
    return context;
  }

  final HcaDriver driver() {
    return driver;
  }

  /** Whether it still exists. */
  public final ObjectLifecycle lifecycle() {
    return lifecycle;
  }

  /** The objects that it is made of. */
  final List<ObjectLifecycle> neededLifecycles() {
    return neededLifecycles;
  }

  /** Object that the program attached. */
  public final @Nullable Object userContext() {
    return lifecycle.userContext();
  }

  public final void setUserContext(@Nullable Object userContext) {
    lifecycle.setUserContext(userContext);
  }

  /** Notifications of it that were taken and not acknowledged; under the driver's lock. */
  int notificationsOut() {
    return 0;
  }

  /**
   * Lists business that the program has left open, as sentences without a subject: events that it
   * has taken, completions that wait in vain; under the driver's lock.
   */
  List<String> unsettled() {
    return List.of();
  }

  /** Gives back what it has of the adapter; under the driver's lock. */
  void release(Hca hca) {}

  /**
   * Refuses null before anything is posted. What is beyond the longest queue is full there first.
   */
  static void checkNoneNull(List<?> list, String name) {
    int length = Math.min(Objects.requireNonNull(list, name).size(), LONGEST_QUEUE);
    for (int i = 0; i < length; i++) {
      Objects.requireNonNull(list.get(i), name);
    }
  }
}

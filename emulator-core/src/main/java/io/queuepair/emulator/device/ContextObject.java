// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An object of a context. The objects that it needs cannot be destroyed while it exists. */
abstract class ContextObject {
  /** Longest queue of every built-in profile, in requests. */
  private static final int LONGEST_QUEUE = 1 << 20;

  private final EmulatedContext context;
  private final HcaDriver driver;
  private final ObjectLifecycle lifecycle;
  private final List<ObjectLifecycle> neededLifecycles;

  /**
   * Created by a verb, to be adopted by its context.
   *
   * @param what the kind of object, for messages
   * @param neededLifecycles lifecycles of the objects that it needs
   */
  ContextObject(EmulatedContext context, String what, List<ObjectLifecycle> neededLifecycles) {
    this.context = context;
    driver = context.driver();
    lifecycle = new ObjectLifecycle(what);
    this.neededLifecycles = neededLifecycles;
  }

  public final EmulatedContext context() {
    return context;
  }

  final HcaDriver driver() {
    return driver;
  }

  public final ObjectLifecycle lifecycle() {
    return lifecycle;
  }

  final List<ObjectLifecycle> neededLifecycles() {
    return neededLifecycles;
  }

  public final @Nullable Object userContext() {
    return lifecycle.userContext();
  }

  public final void setUserContext(@Nullable Object userContext) {
    lifecycle.setUserContext(userContext);
  }

  /** Number of unacknowledged notifications of this object; under the driver's lock. */
  int notificationsOut() {
    return 0;
  }

  /**
   * Lists what the program has left open, as sentences without a subject: events that are not
   * acknowledged, completions for which no event is raised; under the driver's lock.
   */
  List<String> unsettled() {
    return List.of();
  }

  /** Returns resources of this object to the adapter; under the driver's lock. */
  void release(Hca hca) {}

  /**
   * Refuses null elements before anything is posted. Elements beyond the longest queue are not
   * checked: the queue is full before them.
   */
  static void checkNoneNull(List<?> list, String name) {
    int length = Math.min(Objects.requireNonNull(list, name).size(), LONGEST_QUEUE);
    for (int i = 0; i < length; i++) {
      Objects.requireNonNull(list.get(i), name);
    }
  }
}

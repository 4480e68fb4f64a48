// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import java.util.List;

/** An object that goes with its context. */
interface ContextObject {
  /** Whether it still exists. */
  ObjectLifecycle lifecycle();

  /** Notifications of it that were taken and not acknowledged; under the driver's lock. */
  default int notificationsOut() {
    return 0;
  }

  /**
   * Lists business that the program has left open, as sentences without a subject: events that it
   * has taken, completions that wait in vain; under the driver's lock.
   */
  default List<String> unsettled() {
    return List.of();
  }

  /** Gives back what it has of the adapter and of other objects; under the driver's lock. */
  default void release(Hca hca) {}
}

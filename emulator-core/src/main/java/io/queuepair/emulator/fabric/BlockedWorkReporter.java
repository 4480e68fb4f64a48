// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.List;

/**
 * Participant of a network that reports what it waits for when a wait is deadlocked. The thread
 * that runs the network calls it, holding no lock.
 */
public interface BlockedWorkReporter {
  /**
   * Describes the waits and why they do not end.
   *
   * @return one sentence each, a few at most; the same if the same events are repeated
   */
  List<String> describeBlockedWork();

  /**
   * Counts progress: completed work, accepted requests, retries that were used up. Activity that
   * can repeat for ever without a result does not count.
   *
   * @return a number that only grows
   */
  default long progressCount() {
    return 0;
  }

  /**
   * Whether a deadline is pending that leads to progress.
   *
   * @return false if there is none, or only that of a retry that may be repeated for ever
   */
  default boolean hasPendingProgress() {
    return false;
  }
}

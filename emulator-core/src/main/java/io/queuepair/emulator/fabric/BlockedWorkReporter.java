// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.List;

/**
 * A participant of the network that reports what it waits for, when a wait turns out to be
 * deadlocked. Asked by the thread that runs the network, holding no lock.
 */
public interface BlockedWorkReporter {
  /**
   * Waits, and why they do not end.
   *
   * @return one sentence each, a few at most; the same for the same run
   */
  List<String> describeBlockedWork();

  /**
   * How much was done so far: work that completed, requests that were taken, retries that were used
   * up. What can go on for ever without leading anywhere does not count.
   *
   * @return a number that only grows
   */
  default long progressCount() {
    return 0;
  }

  /**
   * Whether something will become due that leads somewhere.
   *
   * @return false if nothing will, or only the next try of what may be tried for ever
   */
  default boolean hasPendingProgress() {
    return false;
  }
}

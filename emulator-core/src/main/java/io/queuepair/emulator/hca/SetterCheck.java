// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.queue.SendRequest;

/** Check of each request of a batch before all else. */
public interface SetterCheck {
  /** For requests that were checked while they were built. */
  SetterCheck NONE = (request, position) -> {};

  /**
   * Refuses what could not have been set by the setters of extended posting.
   *
   * @param position which request it is, for a refusal
   */
  void check(SendRequest request, WrPosition position);
}

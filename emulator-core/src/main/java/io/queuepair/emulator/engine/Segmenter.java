// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.TransmitUnit;
import org.jspecify.annotations.Nullable;

/** Cuts sends into packets. */
interface Segmenter {
  /** How many packets a send takes, at least one. */
  int packetsOf(SendWqe wqe);

  /** Whether a send is not sent at all and yet succeeds. */
  default boolean isSilentlyDiscarded(SendWqe wqe) {
    return false;
  }

  /**
   * One of its packets, or null if it cannot be made; then the send is doomed.
   *
   * @param index which, from 0
   * @param ackRequest whether to ask for an acknowledgement
   */
  @Nullable TransmitUnit packet(SendWqe wqe, int index, int psn, boolean ackRequest);
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.TransmitUnit;
import org.jspecify.annotations.Nullable;

/** Segments sends into packets. */
interface Segmenter {
  /** Number of packets of a send, at least one. */
  int packetsOf(SendWqe wqe);

  /** Whether a send completes with success without being sent. */
  default boolean isSilentlyDiscarded(SendWqe wqe) {
    return false;
  }

  /**
   * Makes one packet of a send; null if that is impossible, then the send has failed.
   *
   * @param index number of the packet in the send, from 0
   * @param ackRequest whether to set the AckReq bit
   */
  @Nullable TransmitUnit packet(SendWqe wqe, int index, int psn, boolean ackRequest);
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.TransmitUnit;
import org.jspecify.annotations.Nullable;

/** Sending half of a queue pair: turns sends into packets and completes them in order. */
interface Requester extends Timed {
  /** Initializes the PSNs and counters, on entering RTS from RTR and after RESET. */
  void start();

  /** Clears the state of sends in progress; the caller empties the send queue. */
  void stop();

  /** Whether packets of posted sends are still to be sent. */
  boolean hasWork();

  /** Next request packet or frame, or null if there is none or it has to wait. */
  @Nullable TransmitUnit pollRequest(long nowNanos);

  /**
   * Handles a response of the peer.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receiveResponse(Packet packet, long nowNanos);

  /** Error of the oldest send, or null. */
  @Nullable WorkError failure();

  /** Removes the oldest send. */
  @Nullable SendWqe retire();

  /** Whether a started send has not completed yet. */
  boolean isBusy();

  /** Clause that says why the oldest send does not complete. */
  default String blockedReason() {
    return "has not been sent";
  }

  /** Whether the requester is in RNR retry without limit (RNR_RETRY 7). */
  default boolean isInInfiniteRnrRetry() {
    return false;
  }

  /** Requests an acknowledgement of all sends, since something waits for it. */
  default void askForAck() {}

  /** Restarts the retry counters after RETRY_CNT or RNR_RETRY was set. */
  default void retriesChanged() {}

  /** PSN of the next packet that is not a retransmission. */
  int nextPsn();

  /** Whether the requester waits after an RNR NAK. */
  default boolean waitsForReceiver() {
    return false;
  }

  /** Acts on deadlines that have passed. */
  void expire(long nowNanos);
}

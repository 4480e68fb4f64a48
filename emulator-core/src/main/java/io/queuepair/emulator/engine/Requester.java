// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.TransmitUnit;
import org.jspecify.annotations.Nullable;

/** The sending half of a queue pair: turns sends into packets and completes them in order. */
interface Requester extends Timed {
  /** Becomes ready to send, coming from RTR. */
  void start();

  /** Forgets everything under way; the send queue is the caller's to empty. */
  void stop();

  /** Whether a send is posted that has not gone out to its end, while sends may go out. */
  boolean hasWork();

  /** The next request packet or frame, or null if there is none or it has to wait. */
  @Nullable TransmitUnit pollRequest(long nowNanos);

  /**
   * Takes a response of the peer.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receiveResponse(Packet packet, long nowNanos);

  /** Why the oldest send has failed, or null. */
  @Nullable WorkError failure();

  /** Removes the oldest send. */
  @Nullable SendWqe retire();

  /** Whether a send that was started has not completed yet. */
  boolean isBusy();

  /** Why the oldest send does not complete, as a clause about it. */
  default String blockedReason() {
    return "has not been sent";
  }

  /** Whether nothing is due but a retry that has no limit. */
  default boolean isInInfiniteRnrRetry() {
    return false;
  }

  /** Something waits for the acknowledgement of what was sent, or is sent next. */
  default void askForAck() {}

  /** How often to try again was changed: holds from the next transmission on. */
  default void retriesChanged() {}

  /** Next PSN that will be sent for the first time. */
  int nextPsn();

  /** Whether it waits because the receiver was not ready. */
  default boolean waitsForReceiver() {
    return false;
  }

  /** Acts on deadlines that have passed. */
  void expire(long nowNanos);
}

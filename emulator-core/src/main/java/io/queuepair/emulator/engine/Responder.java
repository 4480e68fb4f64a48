// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.RawFrame;
import org.jspecify.annotations.Nullable;

/** Receiving half of a queue pair: executes requests of the peer and answers them. */
interface Responder extends Timed {
  /** Initializes the expected PSN and other state, on entering RTR and after RESET. */
  void start();

  /** Clears all state. Drops the receive in use, unless {@link #flush} has completed it. */
  void stop();

  /**
   * Handles a request packet.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receiveRequest(Packet packet, long nowNanos);

  /**
   * Details of the packet just dropped with NO_RECEIVE, RECEIVE_TOO_SMALL or MALFORMED.
   *
   * @return a clause with values, or an empty text
   */
  default String detailOf(DropReason dropped, Packet packet) {
    return "";
  }

  /**
   * Handles a frame that a flow steered here.
   *
   * @return null, or why it was dropped
   */
  default @Nullable DropReason receiveFrame(RawFrame frame) {
    return DropReason.WRONG_SERVICE;
  }

  /** Whether {@link #pollResponse} has work. */
  default boolean hasAnswers() {
    return false;
  }

  default @Nullable Packet pollResponse(long nowNanos) {
    return null;
  }

  /** Acknowledges messages that arrived without AckReq, if any. */
  default void acknowledgeUnasked() {}

  /** Acts on deadlines that have passed. */
  default void expire(long nowNanos) {}

  @Override
  default boolean hasDeadline() {
    return false;
  }

  @Override
  default long deadlineNanos() {
    throw new IllegalStateException();
  }

  /** Whether the next response is an acknowledgement. */
  default boolean hasPendingAck() {
    return false;
  }

  /** Fails the message that could not be written to the memory of another process, if any. */
  default void failUnwritten() {}

  /** Reason why a request moves the queue pair to ERR, or null. */
  @Nullable String failure();

  /** Completes the receive of a partly received message, if any, as flushed. */
  void flush(@Nullable String explanation);

  /** Next PSN expected from the peer. */
  int expectedPsn();
}

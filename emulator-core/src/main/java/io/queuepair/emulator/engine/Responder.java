// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.RawFrame;
import org.jspecify.annotations.Nullable;

/** The receiving half of a queue pair: executes requests of the peer and answers them. */
interface Responder extends Timed {
  /** Starts afresh, when the queue pair becomes ready to receive. */
  void start();

  /** Forgets everything that is under way; the receive in use is flushed first. */
  void stop();

  /**
   * Takes a request packet.
   *
   * @return null, or why it was dropped
   */
  @Nullable DropReason receiveRequest(Packet packet, long nowNanos);

  /**
   * Why it has just dropped a packet, as NO_RECEIVE, RECEIVE_TOO_SMALL or MALFORMED.
   *
   * @return a clause with numbers, or an empty text
   */
  default String detailOf(DropReason dropped, Packet packet) {
    return "";
  }

  /**
   * Takes a frame that a flow steered here.
   *
   * @return null, or why it was dropped
   */
  default @Nullable DropReason receiveFrame(RawFrame frame) {
    return DropReason.WRONG_SERVICE;
  }

  /** Whether {@link #pollResponse} has something to do. */
  default boolean hasAnswers() {
    return false;
  }

  /** The next answer to send, or null. */
  default @Nullable Packet pollResponse(long nowNanos) {
    return null;
  }

  /** Acknowledges what it was not asked to acknowledge, if there is something. */
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

  /** Whether an acknowledgement is what is to be sent next. */
  default boolean hasPendingAck() {
    return false;
  }

  /** Fails a message of which some bytes had no place in another process, if there is one. */
  default void failUnwritten() {}

  /** Why the queue pair has to go to Error because of a request, in words; or null. */
  @Nullable String failure();

  /** Completes the receive of a message that had begun to arrive, if there is one, as flushed. */
  void flush(@Nullable String explanation);

  /** Next PSN expected from the peer. */
  int expectedPsn();
}

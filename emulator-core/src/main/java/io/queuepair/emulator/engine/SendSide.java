package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Outgoing;
import io.queuepair.emulator.wire.Packet;

/** The sending half of a queue pair: turns sends into packets and completes them in order. */
interface SendSide {
  /** Becomes ready to send, coming from RTR. */
  void start();

  /** Forgets everything under way; the send queue is the caller's to empty. */
  void stop();

  /** Whether a send is posted that has not gone out to its end, while sends may go out. */
  boolean hasWork();

  /** The next request packet or frame, or null if there is none or it has to wait. */
  Outgoing poll(long nowNanos);

  /**
   * Takes a response of the peer.
   *
   * @return null, or why it was dropped
   */
  DropReason receive(Packet packet, long nowNanos);

  /** Why the oldest send has failed, or null. */
  Failure failure();

  /** Removes the oldest send. */
  SendWqe retire();

  /** Whether a send that was started has not completed yet. */
  boolean isBusy();

  /** What keeps the oldest send from completing, as a clause about it. */
  default String obstacle() {
    return "has not been sent";
  }

  /** Whether nothing is due but to try once more what may be tried for ever. */
  default boolean isRefusedEndlessly() {
    return false;
  }

  /** How often to try again was changed: holds from the next transmission on. */
  default void retriesChanged() {}

  /** Next PSN that will be sent for the first time. */
  int nextPsn();

  /** Acts on deadlines that have passed. */
  void expire(long nowNanos);

  boolean hasDeadline();

  /** The next moment at which something is due; only if {@link #hasDeadline}. */
  long deadlineNanos();
}

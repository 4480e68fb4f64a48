package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Outgoing;

/** Cuts sends into packets. */
interface Segmenter {
  /** How many packets a send takes, at least one. */
  int packetsOf(SendWqe wqe);

  /** Whether a send is not sent at all and yet succeeds. */
  default boolean vanishes(SendWqe wqe) {
    return false;
  }

  /**
   * One of its packets, or null if it cannot be made; then the send is doomed.
   *
   * @param index which, from 0
   * @param ackRequest whether to ask for an acknowledgement
   */
  Outgoing packet(SendWqe wqe, int index, int psn, boolean ackRequest);
}

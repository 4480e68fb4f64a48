// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.TracedPacket;

/**
 * Packet of a run when it is sent.
 *
 * @param number of the packet in the run, from 0
 * @param attempt number of sends so far, from 1, of a packet with this opcode and PSN to this queue
 *     pair
 * @param queuePair name of the destination queue pair; empty if it has none
 */
record NumberedPacket(int number, int attempt, String queuePair, TracedPacket traced) {
  private static final String REPEATED = "sent again";

  /** Text for a retransmission, with its number; empty for the first transmission. */
  String retransmission() {
    if (!traced.note().startsWith(REPEATED)) {
      return "";
    }
    return attempt > 1 ? REPEATED + " (retry " + (attempt - 1) + ")" : REPEATED;
  }
}

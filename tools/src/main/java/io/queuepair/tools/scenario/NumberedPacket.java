// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.TracedPacket;

/**
 * A packet of a run, as it is sent.
 *
 * @param number among the packets of the run, from 0
 * @param attempt how often a packet with its opcode and PSN was sent to its queue pair so far, from
 *     1
 * @param queuePair the one that it is for; empty if it has no name
 */
record NumberedPacket(int number, int attempt, String queuePair, TracedPacket traced) {
  private static final String REPEATED = "sent again";

  /** Words for a retransmission, with its number; empty if it is none. */
  String retransmission() {
    if (!traced.note().startsWith(REPEATED)) {
      return "";
    }
    return attempt > 1 ? REPEATED + " (retry " + (attempt - 1) + ")" : REPEATED;
  }
}

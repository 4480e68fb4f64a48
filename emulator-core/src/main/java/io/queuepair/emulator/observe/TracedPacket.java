// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

/**
 * A packet of a {@link PacketTrace}, as it was sent.
 *
 * @param nanos when, by the scheduler of the network
 * @param note why it is sent, in words, such as that it is sent again; empty if there is nothing to
 *     say
 * @param isFrame whether it is an Ethernet frame that an application made; otherwise it is the
 *     payload of a UDP datagram: BTH to ICRC
 * @param lengthBytes how long it is
 * @param hex its first bytes in hexadecimal, at most {@value #MOST_BYTES}
 * @param icrcHex the last four bytes of a datagram; empty for a frame
 */
public record TracedPacket(
    long nanos, String note, boolean isFrame, int lengthBytes, String hex, String icrcHex) {
  /** How many bytes of a packet are kept. */
  public static final int MOST_BYTES = 128;
}

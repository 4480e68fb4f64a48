// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

/**
 * A packet of a {@link PacketTrace}, as it was sent.
 *
 * @param nanos time of sending, by the scheduler of the network
 * @param note why it is sent, in words, such as that it is sent again; may be empty
 * @param isFrame whether it is an Ethernet frame that an application made; otherwise it is the
 *     payload of a UDP datagram: BTH to ICRC
 * @param lengthBytes its length
 * @param hex its first bytes in hexadecimal, at most {@value #MOST_BYTES}
 * @param icrcHex the last four bytes of a datagram; empty for a frame
 */
public record TracedPacket(
    long nanos, String note, boolean isFrame, int lengthBytes, String hex, String icrcHex) {
  /** Most bytes of a packet that are kept. */
  public static final int MOST_BYTES = 128;
}

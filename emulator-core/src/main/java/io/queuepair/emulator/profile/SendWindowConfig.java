// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * How much a requester keeps in flight. The specification leaves it to the device.
 *
 * @param windowPackets PSNs that may be unacknowledged, 1 to 2^22
 * @param windowBytes payload bytes that may be unacknowledged before no further packet is sent
 * @param acks how often acknowledgements are asked for, and given
 * @param turnPackets packets that one queue pair sends before the next one's turn
 * @param turnBytes payload bytes after which it is the next one's turn, too
 * @param ackTimeoutFactor multiple of the local ACK timeout that a requester waits, 1 to 4 as the
 *     specification allows; at most 268 ms longer than the timeout
 * @param usesCredits whether end-to-end credits are used (reliable connections without shared
 *     receive queue): acknowledgements tell the peer how many receives are posted, and a requester
 *     starts at most one message more than its peer has receives for
 */
public record SendWindowConfig(
    int windowPackets,
    int windowBytes,
    AckPolicy acks,
    int turnPackets,
    int turnBytes,
    int ackTimeoutFactor,
    boolean usesCredits) {
  private static final int MAX_ACK_TIMEOUT_FACTOR = 4;

  /** Longest addition to a timeout, 268 ms (timeout code 16): more than a busy machine needs. */
  private static final long MAX_EXTRA_NANOS = 1L << 28;

  /** Payload that fits with its headers into one burst, which the network cuts into packets. */
  private static final int TURN_BYTES = 60 << 10;

  /** Bytes that a small datagram takes of a socket's buffer, kernel bookkeeping included. */
  private static final int BUFFER_BYTES_PER_PACKET = 2048;

  /**
   * The default: a window that keeps a peer busy while the acknowledgement is on its way.
   *
   * @return the pacing
   */
  public static SendWindowConfig standard() {
    return new SendWindowConfig(1024, 1 << 20, AckPolicy.coalescing(32), 64, TURN_BYTES, 1, true);
  }

  /**
   * As Linux Soft-RoCE: at most 128 packets unacknowledged, and credits neither sent nor used.
   *
   * @return the pacing
   */
  public static SendWindowConfig softRoce() {
    return new SendWindowConfig(
        128, 256 << 10, AckPolicy.everyMessage(16), 64, TURN_BYTES, 1, false);
  }

  /**
   * The window in full packets.
   *
   * @param mtuBytes payload bytes of a full packet
   * @return how many of them fit, at least 1
   */
  public int windowPackets(int mtuBytes) {
    return Math.max(1, Math.min(windowPackets, windowBytes / mtuBytes));
  }

  /**
   * A copy with a window that fits into the network's buffer for one receiver.
   *
   * @param heldBytes size of that buffer, including bookkeeping of the network
   * @return the pacing, unchanged if it fits
   */
  public SendWindowConfig within(long heldBytes) {
    int packets = (int) Math.max(1, Math.min(windowPackets, heldBytes / BUFFER_BYTES_PER_PACKET));
    int bytes = (int) Math.max(1, Math.min(windowBytes, heldBytes / 2));
    return new SendWindowConfig(
        packets, bytes, acks, turnPackets, turnBytes, ackTimeoutFactor, usesCredits);
  }

  /**
   * A copy with the longest ACK timeout that the specification allows, for peers on busy machines.
   *
   * @return the pacing with an ACK timeout factor of 4
   */
  public SendWindowConfig withLongAckTimeout() {
    return new SendWindowConfig(
        windowPackets,
        windowBytes,
        acks,
        turnPackets,
        turnBytes,
        MAX_ACK_TIMEOUT_FACTOR,
        usesCredits);
  }

  /**
   * How long a requester waits for an acknowledgement.
   *
   * @param localAckTimeoutNanos what the queue pair asks for, in nanoseconds
   * @return the wait in nanoseconds, at least that timeout
   */
  public long ackWaitNanos(long localAckTimeoutNanos) {
    long extraNanos = (ackTimeoutFactor - 1) * localAckTimeoutNanos;
    return localAckTimeoutNanos + Math.min(extraNanos, MAX_EXTRA_NANOS);
  }
}

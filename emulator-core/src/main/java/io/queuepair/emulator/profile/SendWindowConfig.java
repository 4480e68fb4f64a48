// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * How much a requester keeps in flight. The specification leaves it to the device.
 *
 * @param windowPackets PSNs that may be unacknowledged, 1 to 2^22
 * @param windowBytes payload bytes that may be unacknowledged before no further packet is sent
 * @param acks how often acknowledgements are asked for, and given
 * @param turnPackets packets of one queue pair that leave before it is the next one's turn
 * @param turnBytes payload bytes after which it is the next one's turn, too
 * @param ackTimeoutFactor how many times the local ACK timeout a requester waits, 1 to 4, which is
 *     the room that the specification leaves to a device; at most 268 ms longer
 * @param usesCredits whether acknowledgements tell the peer how many receives are posted (reliable
 *     connections without shared receive queue), and a requester that learns this starts one
 *     message more than its peer has receives for, and no further ones
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

  /** More than a busy machine needs: a long timeout is not made much longer (the code 16). */
  private static final long MAX_EXTRA_NANOS = 1L << 28;

  /** With its headers, what fits into one datagram before the network cuts it into packets. */
  private static final int TURN_BYTES = 60 << 10;

  /**
   * Bytes that a small datagram takes of a socket's buffer, the bookkeeping of the kernel included.
   */
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
   * As Linux Soft-RoCE: at most 128 packets unacknowledged, and credits neither sent nor looked at.
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
   * A copy with a window that fits what the network holds for one receiver.
   *
   * @param heldBytes bytes, with what the network needs for itself
   * @return the pacing, unchanged if it fits
   */
  public SendWindowConfig within(long heldBytes) {
    int packets = (int) Math.max(1, Math.min(windowPackets, heldBytes / BUFFER_BYTES_PER_PACKET));
    int bytes = (int) Math.max(1, Math.min(windowBytes, heldBytes / 2));
    return new SendWindowConfig(
        packets,
        bytes,
        acks.within(packets),
        turnPackets,
        turnBytes,
        ackTimeoutFactor,
        usesCredits);
  }

  /**
   * A copy that is as patient as the specification allows: for peers on busy machines.
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
   * @return as many nanoseconds or more
   */
  public long ackWaitNanos(long localAckTimeoutNanos) {
    long extraNanos = (ackTimeoutFactor - 1) * localAckTimeoutNanos;
    return localAckTimeoutNanos + Math.min(extraNanos, MAX_EXTRA_NANOS);
  }
}

package io.queuepair.emulator.profile;

/**
 * How much a requester keeps in flight. The specification leaves it to the device; Linux Soft-RoCE
 * keeps at most 128 packets unacknowledged and knows no credits.
 *
 * @param windowPackets PSNs that may be unacknowledged, 1 to 2^22
 * @param windowBytes payload bytes that may be unacknowledged before no further packet is sent
 * @param ackRequestEveryPackets the acknowledge request bit is set at the end of each message and
 *     after so many packets without it, at least 1 and at most the window
 * @param turnPackets packets of one queue pair that leave before it is the next one's turn
 * @param ackTimeoutFactor how many times the local ACK timeout a requester waits, 1 to 4: the
 *     specification leaves a device that much room
 * @param usesCredits whether acknowledgements tell the peer how many receives are posted (reliable
 *     connections without shared receive queue), and a requester that is told so starts one message
 *     more than its peer has receives for, and no further ones
 */
public record Pacing(
    int windowPackets,
    int windowBytes,
    int ackRequestEveryPackets,
    int turnPackets,
    int ackTimeoutFactor,
    boolean usesCredits) {
  private static final int MAX_ACK_TIMEOUT_FACTOR = 4;

  /**
   * The default: a window that fits the usual socket buffer.
   *
   * @return the pacing
   */
  public static Pacing standard() {
    return new Pacing(128, 256 << 10, 16, 64, 1, true);
  }

  /**
   * The same, but as patient as the specification allows: for peers on busy machines.
   *
   * @return the pacing with an ACK timeout factor of 4
   */
  public Pacing patient() {
    return new Pacing(
        windowPackets,
        windowBytes,
        ackRequestEveryPackets,
        turnPackets,
        MAX_ACK_TIMEOUT_FACTOR,
        usesCredits);
  }

  /**
   * The same without credits, as Linux Soft-RoCE.
   *
   * @return the pacing with neither credits sent nor looked at
   */
  public Pacing withoutCredits() {
    return new Pacing(
        windowPackets, windowBytes, ackRequestEveryPackets, turnPackets, ackTimeoutFactor, false);
  }
}

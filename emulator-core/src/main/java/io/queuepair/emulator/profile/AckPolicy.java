// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * How often reliable connections acknowledge. The specification leaves it to the device: one
 * acknowledgement covers all earlier packets (IBTA vol. 1, 9.7.5.1.2), and a requester times only
 * acknowledgements that it asked for by AckReq (9.7.6.1.3).
 *
 * @param everyPackets number of packets without AckReq after which a requester sets it, at least 1;
 *     half a window, if that is fewer
 * @param everyMessages a requester sets AckReq at the end of one in so many messages that nothing
 *     waits for; 1 for every message
 * @param unaskedAfterNanos a responder acknowledges packets without AckReq after {@code
 *     everyMessages} messages, or after this time; 0 if never
 * @param repeatAfterNanos time without acknowledgement after which a requester that has not set
 *     AckReq sends its last packet again, with AckReq
 */
public record AckPolicy(
    int everyPackets, int everyMessages, long unaskedAfterNanos, long repeatAfterNanos) {
  private static final int MESSAGES = 8;
  private static final long UNASKED_NANOS = 10_000;
  private static final long REPEAT_NANOS = 100_000;

  /**
   * Whether a requester may end a message without AckReq.
   *
   * @return true unless every message ends with AckReq
   */
  public boolean coalesces() {
    return everyMessages > 1;
  }

  /**
   * One acknowledgement for eight messages that nothing waits for.
   *
   * @param everyPackets packets after which a requester sets AckReq
   * @return the policy
   */
  static AckPolicy coalescing(int everyPackets) {
    return new AckPolicy(everyPackets, MESSAGES, UNASKED_NANOS, REPEAT_NANOS);
  }

  /**
   * One acknowledgement for every message, and none without AckReq, as Linux Soft-RoCE.
   *
   * @param everyPackets packets after which a requester sets AckReq
   * @return the policy
   */
  public static AckPolicy everyMessage(int everyPackets) {
    return new AckPolicy(everyPackets, 1, 0, 0);
  }
}

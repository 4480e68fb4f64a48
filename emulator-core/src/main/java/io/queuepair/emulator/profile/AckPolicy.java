// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * How often reliable connections acknowledge. The specification leaves it to the device: one
 * acknowledgement covers all earlier packets (IBTA vol. 1, 9.7.5.1.2), and what was not asked for
 * is not timed (9.7.6.1.3).
 *
 * @param everyPackets a requester asks after so many packets without asking, at least 1 and at most
 *     the window
 * @param everyMessages it asks at the end of a message for which nothing waits only if it is one of
 *     so many; 1 asks for every message
 * @param unaskedAfterNanos a responder acknowledges what it was not asked for after so many
 *     messages, or after this time; 0 if never
 * @param repeatAfterNanos a requester that has not asked, and has had no answer for this time,
 *     sends its last packet again and asks
 */
public record AckPolicy(
    int everyPackets, int everyMessages, long unaskedAfterNanos, long repeatAfterNanos) {
  private static final int MESSAGES = 8;
  private static final long UNASKED_NANOS = 10_000;
  private static final long REPEAT_NANOS = 100_000;

  /**
   * Whether a requester may leave the end of a message without asking.
   *
   * @return true unless every message asks
   */
  public boolean coalesces() {
    return everyMessages > 1;
  }

  /**
   * One acknowledgement for eight messages that nothing waits for.
   *
   * @param everyPackets packets after which a requester asks
   * @return the policy
   */
  static AckPolicy coalescing(int everyPackets) {
    return new AckPolicy(everyPackets, MESSAGES, UNASKED_NANOS, REPEAT_NANOS);
  }

  /**
   * One acknowledgement for every message, and none that was not asked for, as Linux Soft-RoCE.
   *
   * @param everyPackets packets after which a requester asks
   * @return the policy
   */
  public static AckPolicy everyMessage(int everyPackets) {
    return new AckPolicy(everyPackets, 1, 0, 0);
  }

  /** A copy that asks after fewer packets, if a window is smaller. */
  AckPolicy within(int windowPackets) {
    int packets = Math.min(everyPackets, windowPackets);
    return new AckPolicy(packets, everyMessages, unaskedAfterNanos, repeatAfterNanos);
  }
}

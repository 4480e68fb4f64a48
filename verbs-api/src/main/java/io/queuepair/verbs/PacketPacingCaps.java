// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/**
 * Limits of the rate of a queue pair ({@code struct ibv_packet_pacing_caps}).
 *
 * @param qpRateLimitMin lowest rate, in kbit/s
 * @param qpRateLimitMax highest rate, in kbit/s; 0 if rates cannot be limited
 * @param supportedQpts types of queue pairs whose rate can be limited
 */
public record PacketPacingCaps(
    long qpRateLimitMin, long qpRateLimitMax, Set<QpType> supportedQpts) {
  /**
   * Copies the types.
   *
   * @param qpRateLimitMin lowest rate, in kbit/s
   * @param qpRateLimitMax highest rate, in kbit/s; 0 if rates cannot be limited
   * @param supportedQpts types of queue pairs whose rate can be limited
   */
  public PacketPacingCaps {
    supportedQpts = FlagSet.copyOf(supportedQpts, "supportedQpts");
  }

  /** No limits of rates. */
  public static final PacketPacingCaps NONE = new PacketPacingCaps(0, 0, Set.of());
}

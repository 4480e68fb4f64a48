// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Capabilities for raw packets ({@code enum ibv_raw_packet_caps}). */
public enum RawPacketCap implements VerbsConstant {
  /** Take the VLAN tag off. */
  CVLAN_STRIPPING(1),

  /** Deliver the frame check sequence. */
  SCATTER_FCS(2),

  /** Compute IP checksums. */
  IP_CSUM(4),

  /** Wait for a receive before dropping. */
  DELAY_DROP(8);

  private final int code;

  RawPacketCap(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Flags for creating a queue pair ({@code enum ibv_qp_create_flags}). */
public enum QpCreateFlag implements VerbsConstant {
  /** Multicast datagrams of its own do not come back to it. */
  BLOCK_SELF_MCAST_LB(1 << 1),

  /** Frames are received with their check sequence. */
  SCATTER_FCS(1 << 8),

  /** Frames are received without their VLAN tag. */
  CVLAN_STRIPPING(1 << 9),

  /** Packets carry the number of another queue pair as their source. */
  SOURCE_QPN(1 << 10),

  /** Received data is padded to whole cache lines. */
  PCI_WRITE_END_PADDING(1 << 11);

  private final int code;

  QpCreateFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

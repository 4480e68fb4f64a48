// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Flags of a work queue ({@code enum ibv_wq_flags}). */
public enum WqFlag implements VerbsConstant {
  /** Frames are received without their VLAN tag. */
  CVLAN_STRIPPING(1 << 0),

  /** Frames are received with their check sequence. */
  SCATTER_FCS(1 << 1),

  /** A frame that finds no receive waits for one. */
  DELAY_DROP(1 << 2),

  /** Received data is padded to whole cache lines. */
  PCI_WRITE_END_PADDING(1 << 3);

  private final int code;

  WqFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

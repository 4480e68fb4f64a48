// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A field of {@link MrInitAttr} that counts ({@code enum ibv_mr_init_attr_mask}). */
public enum MrInitAttrMask implements VerbsConstant {
  /** The first address is chosen by the caller. */
  IOVA(1 << 0),

  /** The memory is a buffer of the application. */
  ADDR(1 << 1),

  /** The memory is a dma-buf. */
  FD(1 << 2),

  /** Where in the dma-buf the memory begins. */
  FD_OFFSET(1 << 3),

  /** A DMA handle steers accesses. */
  DMAH(1 << 4),

  /** The memory is part of a {@link DmaBuffer}. */
  BUF(1 << 5);

  private final int code;

  MrInitAttrMask(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

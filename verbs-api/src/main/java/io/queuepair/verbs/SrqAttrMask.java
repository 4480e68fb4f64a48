// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Which attribute of a shared receive queue to modify ({@code enum ibv_srq_attr_mask}). */
public enum SrqAttrMask implements VerbsConstant {
  /** The capacity. */
  MAX_WR(1 << 0),

  /** The limit. */
  LIMIT(1 << 1);

  private final int code;

  SrqAttrMask(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

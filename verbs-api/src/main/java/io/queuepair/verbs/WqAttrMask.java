// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Which fields of {@link WqAttr} count ({@code enum ibv_wq_attr_mask}). */
public enum WqAttrMask implements VerbsConstant {
  /** {@link WqAttr#wqState}. */
  STATE(1 << 0),

  /** {@link WqAttr#currWqState}. */
  CURR_STATE(1 << 1),

  /** {@link WqAttr#flags} and {@link WqAttr#flagsMask}. */
  FLAGS(1 << 2);

  private final int code;

  WqAttrMask(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

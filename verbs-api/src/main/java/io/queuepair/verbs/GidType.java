// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Kind of a GID table entry ({@code enum ibv_gid_type}). */
public enum GidType implements VerbsConstant {
  /** InfiniBand. */
  IB(0),

  /** RoCE version 1: Ethernet only. */
  ROCE_V1(1),

  /** RoCE version 2: over UDP. */
  ROCE_V2(2);

  private final int code;

  GidType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

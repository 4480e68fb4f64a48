// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Kind of a memory window ({@code enum ibv_mw_type}). */
public enum MwType implements VerbsConstant {
  /** Bound by a verb of its own, {@code ibv_bind_mw}; the device chooses the tag of the key. */
  TYPE_1(1),

  /** Bound and invalidated by work requests; the application chooses the tag of the key. */
  TYPE_2(2);

  private final int code;

  MwType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Parts of a region that a reregistration changes ({@code enum ibv_rereg_mr_flags}). */
public enum ReregMrFlag implements VerbsConstant {
  /** The memory, and with it the addresses. */
  CHANGE_TRANSLATION(1 << 0),

  /** The protection domain. */
  CHANGE_PD(1 << 1),

  /** The rights. */
  CHANGE_ACCESS(1 << 2);

  private final int code;

  ReregMrFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

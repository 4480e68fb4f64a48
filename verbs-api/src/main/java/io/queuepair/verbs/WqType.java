// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Type of a work queue ({@code enum ibv_wq_type}). */
public enum WqType implements VerbsConstant {
  /** It receives. */
  RQ(0);

  private final int code;

  WqType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** How much a {@link FlushWr} flushes ({@code enum ibv_selectivity_level}). */
public enum SelectivityLevel implements VerbsConstant {
  /** The range that is given. */
  RANGE(0),

  /** The whole region. */
  MR(1);

  private final int code;

  SelectivityLevel(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

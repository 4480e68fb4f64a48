// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Guarantee that a {@link FlushWr} waits for ({@code enum ibv_placement_type}). */
public enum PlacementType implements VerbsConstant {
  /** Everybody sees the data. */
  GLOBAL(1 << 0),

  /** The data survives a loss of power. */
  PERSISTENT(1 << 1);

  private final int code;

  PlacementType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

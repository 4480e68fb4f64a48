// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Quantity that a counter counts ({@code enum ibv_counter_description}). */
public enum CounterDescription implements VerbsConstant {
  /** Frames. */
  PACKETS(0),

  /** Bytes of frames, headers included. */
  BYTES(1);

  private final int code;

  CounterDescription(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** How the fields of a frame are hashed ({@code enum ibv_rx_hash_function_flags}). */
public enum RxHashFunction implements VerbsConstant {
  /** Hash of Microsoft's Receive Side Scaling. */
  FUNC_TOEPLITZ(1 << 0);

  private final int code;

  RxHashFunction(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** State of a work queue ({@code enum ibv_wq_state}). */
public enum WqState implements VerbsConstant {
  /** Created or reset: it is empty, nothing may be posted, frames are dropped. */
  RESET(0),

  /** Ready: receives may be posted, and are filled. */
  RDY(1),

  /** Error: receives are flushed, frames are dropped. */
  ERR(2),

  /** Known to the library only; no device is ever in it. */
  UNKNOWN(3);

  private final int code;

  WqState(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

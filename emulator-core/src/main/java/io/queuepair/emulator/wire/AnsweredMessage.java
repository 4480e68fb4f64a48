// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Which message an MRA or a REJ answers, by its two bits. */
public enum AnsweredMessage {
  REQ,
  REP,
  /** A LAP, or for a REJ none that is known. */
  OTHER,
  RESERVED;

  static AnsweredMessage ofCode(int code) {
    return values()[code];
  }

  public int code() {
    return ordinal();
  }
}

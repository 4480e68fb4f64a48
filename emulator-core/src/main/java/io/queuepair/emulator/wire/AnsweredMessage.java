// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Message that an MRA or a REJ answers, by the two bits of its field. */
public enum AnsweredMessage {
  REQ,
  REP,
  /** A LAP in an MRA; in a REJ no specific message. */
  OTHER,
  RESERVED;

  static AnsweredMessage ofCode(int code) {
    return values()[code];
  }

  public int code() {
    return ordinal();
  }
}

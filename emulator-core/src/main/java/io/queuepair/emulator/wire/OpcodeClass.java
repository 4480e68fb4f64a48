// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** The class of an opcode: bits 7-5. All but {@link #CNP} are transport services. */
public enum OpcodeClass {
  RC(0),
  UC(1),
  RD(2),
  UD(3),
  CNP(4),
  XRC(5);

  private final int code;

  OpcodeClass(int code) {
    this.code = code;
  }

  /** Whether requests are acknowledged, and sent again until they are. */
  public boolean isReliable() {
    return this == RC || this == RD || this == XRC;
  }

  /** The three class bits, right-aligned. */
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** The transport service of a REQ, by its two bits. */
public enum TransportService {
  RC,
  UC,
  RD,
  /** The extended transport type says which: 1 is XRC. */
  EXTENDED;

  /** The extended transport type of XRC. */
  public static final int XRC = 1;

  static TransportService ofCode(int code) {
    return values()[code];
  }

  public int code() {
    return ordinal();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Transport service of a REQ, by the two bits of its field. */
public enum TransportService {
  RC,
  UC,
  RD,
  /** Service that the extended transport type gives: 1 is XRC. */
  EXTENDED;

  /** Value of the extended transport type for XRC. */
  public static final int XRC = 1;

  static TransportService ofCode(int code) {
    return values()[code];
  }

  public int code() {
    return ordinal();
  }
}

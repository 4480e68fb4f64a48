// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Numbers of the RoCEv2 encapsulation (InfiniBand Architecture, annex A17). */
public final class RoceV2 {
  /** Destination port of every RoCEv2 datagram; the sender chooses the source port, for entropy. */
  public static final int UDP_PORT = 4791;

  public static final int BTH_BYTES = 12;
  public static final int ICRC_BYTES = 4;

  static final int UDP_HEADER_BYTES = 8;

  private RoceV2() {}

  /** Number of zero bytes after a payload that make the packet a whole number of 32-bit words. */
  static int padBytes(int payloadBytes) {
    return -payloadBytes & 3;
  }
}

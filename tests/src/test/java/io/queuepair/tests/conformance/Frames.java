// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import java.util.Arrays;
import java.util.HexFormat;

/** Ethernet frames from 10.0.0.1 to 10.0.0.2, byte by byte. */
enum Frames {
  /** Something of a type of its own: destination, source, type, four bytes. */
  PLAIN("02000a000002 02000a000001 88b5 01020304"),

  /** UDP port 7 to 4660 over IPv4. */
  UDP_IPV4(
      "02000a000002 02000a000001 0800"
          + "45000020 00004000 401126cb 0a000001 0a000002"
          + "00071234 000c0000 deadbeef"),

  /** First fragment of more. */
  FRAGMENT_IPV4(
      "02000a000002 02000a000001 0800"
          + "45000020 00002000 401146cb 0a000001 0a000002"
          + "00071234 000c0000 deadbeef"),

  /** TCP port 7 to 4660 over IPv4 with one word of options. */
  TCP_IPV4(
      "02000a000002 02000a000001 0800"
          + "4600002c 00004000 400623c9 0a000001 0a000002 01010100"
          + "00071234 00000000 00000000 50020000 00000000"),

  /** UDP port 7 to 4660 over IPv6, traffic class 0x12, flow label 0x34567, hop limit 9. */
  UDP_IPV6(
      "02000a000002 02000a000001 86dd"
          + "61234567 000c1109 fd000000000000000000000000000001 fd000000000000000000000000000002"
          + "00071234 000c0000 deadbeef"),

  /** UDP over IPv4 on VLAN 5, priority 3. */
  VLAN_IPV4(
      "02000a000002 02000a000001 8100 6005 0800"
          + "45000020 00004000 401126cb 0a000001 0a000002"
          + "00071234 000c0000 deadbeef");

  private final byte[] bytes;

  Frames(String spacedHex) {
    bytes = Bytes.ofHex(spacedHex);
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** Makes a frame to another address. */
  byte[] to(String mac) {
    byte[] changed = bytes.clone();
    System.arraycopy(HexFormat.ofDelimiter(":").parseHex(mac), 0, changed, 0, 6);
    return changed;
  }

  /** The addresses and type of {@link #PLAIN}, and recognisable bytes up to a length. */
  static byte[] ofLength(int length) {
    byte[] frame = Bytes.pattern(Math.max(length, 14), length);
    System.arraycopy(PLAIN.bytes, 0, frame, 0, 14);
    return Arrays.copyOf(frame, length);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

/** The Internet checksum, written from RFC 1071 byte by byte. */
final class Rfc1071 {
  private static final int IP = 14;
  private static final int TCP = IP + 20;

  private Rfc1071() {}

  /** Checksum of TCP over IPv4 without options, as a receiver computes it: 0 if right. */
  static int checksumOfTcp(byte[] frame) {
    byte[] checked = new byte[12 + frame.length - TCP];
    System.arraycopy(frame, IP + 12, checked, 0, 8);
    checked[9] = 6;
    checked[10] = (byte) ((frame.length - TCP) >> 8);
    checked[11] = (byte) (frame.length - TCP);
    System.arraycopy(frame, TCP, checked, 12, frame.length - TCP);
    return checksum(checked);
  }

  private static int checksum(byte[] bytes) {
    int sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      sum += (bytes[i] & 0xff) << (i % 2 == 0 ? 8 : 0);
      if (sum > 0xffff) {
        sum -= 0xffff;
      }
    }
    return 0xffff - sum;
  }
}

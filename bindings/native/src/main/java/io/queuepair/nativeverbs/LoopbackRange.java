// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** The addresses 127.0.0.2 to 127.255.255.254, in order. */
final class LoopbackRange {
  private static final int FIRST = 0x7f00_0002;
  private static final int LAST = 0x7fff_fffe;

  private LoopbackRange() {}

  /**
   * The next loopback address; after the last one, the first.
   *
   * @throws IllegalArgumentException if this is none
   */
  static String after(String address) {
    try {
      InetAddress parsed = InetAddress.getByName(address);
      if (!parsed.isLoopbackAddress() || parsed.getAddress().length != Integer.BYTES) {
        throw new IllegalArgumentException(address + " is not a loopback address of IPv4");
      }
      int number = ByteBuffer.wrap(parsed.getAddress()).getInt();
      int next = number >= LAST || number < FIRST ? FIRST : number + 1;
      byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(next).array();
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(address + " is not an IP address", unknown);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
final class SockaddrStruct {
  /** Size of {@code struct sockaddr_in6}. */
  static final int SIZE = 28;

  private static final short AF_UNSPEC = 0;
  private static final short AF_INET = 2;
  private static final short AF_INET6 = 10;
  private static final short AF_IB = 27;
  private static final int PORT = 2;
  private static final int ADDRESS4 = 4;
  private static final int ADDRESS6 = 8;
  private static final int BYTES4 = 4;
  private static final int BYTES6 = 16;

  private SockaddrStruct() {}

  /**
   * Reads an address.
   *
   * @return null if there is none: family AF_UNSPEC
   * @throws io.queuepair.verbs.VerbsException EINVAL for another family
   */
  static InetSocketAddress read(ByteBuffer args, int at) {
    short family = args.getShort(at);
    int port = Byte.toUnsignedInt(args.get(at + PORT)) << 8;
    port |= Byte.toUnsignedInt(args.get(at + PORT + 1));
    return switch (family) {
      case AF_UNSPEC -> null;
      case AF_INET -> new InetSocketAddress(address(args, at + ADDRESS4, BYTES4), port);
      case AF_INET6 -> new InetSocketAddress(address(args, at + ADDRESS6, BYTES6), port);
      default -> throw CValues.refused("address family " + family + " is neither IPv4 nor IPv6");
    };
  }

  private static InetAddress address(ByteBuffer args, int at, int length) {
    byte[] bytes = new byte[length];
    args.get(at, bytes);
    try {
      return length == BYTES6 ? Inet6Address.getByAddress(null, bytes, -1) : ofBytes(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError("an address of " + length + " bytes", impossible);
    }
  }

  private static InetAddress ofBytes(byte[] bytes) throws UnknownHostException {
    return InetAddress.getByAddress(bytes);
  }

  /** Whether the address family is AF_IB, which RoCE does not have. */
  static boolean isIb(ByteBuffer args, int at) {
    return args.getShort(at) == AF_IB;
  }

  /** Writes an address; nothing if it is null. */
  static void write(ByteBuffer args, int at, InetSocketAddress address) {
    if (address == null) {
      return;
    }
    boolean isIpv4 = address.getAddress() instanceof Inet4Address;
    args.putShort(at, isIpv4 ? AF_INET : AF_INET6);
    args.put(at + PORT, (byte) (address.getPort() >>> 8));
    args.put(at + PORT + 1, (byte) address.getPort());
    args.put(at + (isIpv4 ? ADDRESS4 : ADDRESS6), address.getAddress().getAddress());
  }
}

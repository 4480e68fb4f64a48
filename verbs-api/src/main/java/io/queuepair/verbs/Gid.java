// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * A global identifier: 128 bits, on RoCE an IPv6 address or an IPv4 address mapped into one ({@code
 * union ibv_gid}).
 *
 * @param subnetPrefix the upper 64 bits
 * @param interfaceId the lower 64 bits
 */
public record Gid(long subnetPrefix, long interfaceId) {
  /** The GID of an empty table slot. */
  public static final Gid ZERO = new Gid(0, 0);

  private static final int BYTES = 16;
  private static final long V4_MAPPED = 0x0000_ffff_0000_0000L;

  /**
   * The GID of an IP address.
   *
   * @param address IPv4 (mapped to {@code ::ffff:a.b.c.d}) or IPv6
   * @return the GID
   */
  public static Gid of(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address instanceof Inet4Address) {
      return new Gid(0, V4_MAPPED | Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt()));
    }
    return ofBytes(bytes);
  }

  /**
   * The GID of 16 raw bytes.
   *
   * @param bytes 16 bytes in network order
   * @return the GID
   * @throws IllegalArgumentException if there are not 16 bytes
   */
  public static Gid ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Gid(buffer.getLong(0), buffer.getLong(8));
  }

  /**
   * The 16 bytes in network order.
   *
   * @return a new array
   */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(subnetPrefix).putLong(interfaceId).array();
  }

  /**
   * The IP address this GID stands for.
   *
   * @return IPv4 for a mapped address, IPv6 otherwise
   */
  public InetAddress toAddress() {
    try {
      return InetAddress.getByAddress(toBytes());
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("16 bytes are always an address", impossible);
    }
  }

  /**
   * Whether this is the GID of an empty slot.
   *
   * @return true for the zero GID
   */
  public boolean isZero() {
    return subnetPrefix == 0 && interfaceId == 0;
  }

  /**
   * Whether this is an IPv4 address mapped into a GID.
   *
   * @return true for {@code ::ffff:a.b.c.d}
   */
  public boolean isIpv4Mapped() {
    return subnetPrefix == 0 && interfaceId >>> 32 == V4_MAPPED >>> 32;
  }

  /**
   * Whether this stands for a multicast group.
   *
   * @return true if the first byte is 0xff, or for an IPv4 address of 224.0.0.0/4
   */
  public boolean isMulticast() {
    return subnetPrefix >>> 56 == 0xff || (isIpv4Mapped() && (interfaceId >>> 28 & 0xf) == 0xe);
  }

  /** The eight 16-bit groups in hex, as {@code ibv_devinfo -v} prints GIDs. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(39);
    for (int group = 0; group < 8; group++) {
      long half = group < 4 ? subnetPrefix : interfaceId;
      long bits = half >>> (48 - 16 * (group & 3)) & 0xffff;
      text.append(group == 0 ? "" : ":").append(String.format("%04x", bits));
    }
    return text.toString();
  }
}

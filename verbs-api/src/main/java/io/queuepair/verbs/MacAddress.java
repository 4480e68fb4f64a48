// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * An Ethernet address: 48 bits, first byte on the wire uppermost.
 *
 * @param bits the address in the lower 48 bits; the others are 0
 */
public record MacAddress(long bits) {
  /** All bits zero: as a mask, what matches any address. */
  public static final MacAddress ZERO = new MacAddress(0);

  /** All bits set: every station; as a mask, what matches one address only. */
  public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

  private static final int BYTES = 6;
  private static final long GROUP_BIT = 1L << 40;
  private static final long LOCAL_BIT = 1L << 41;

  /**
   * The address in its usual spelling.
   *
   * @param text six pairs of hexadecimal digits with colons between, as {@code 02:00:0a:00:00:01}
   * @return the address
   * @throws IllegalArgumentException if the text is not so
   */
  public static MacAddress of(String text) {
    if (!text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")) {
      throw new IllegalArgumentException(text + " is not six pairs of digits with colons between");
    }
    return new MacAddress(Long.parseLong(text.replace(":", ""), 16));
  }

  /**
   * The address that the GUID of a device was made from (modified EUI-64, RFC 4291).
   *
   * @param guid {@link Device#guid()}
   * @return the upper three bytes and the lower three, with the universal/local bit inverted
   */
  public static MacAddress ofGuid(long guid) {
    return new MacAddress((((guid >>> 16) & 0xffff_ff00_0000L) | (guid & 0xff_ffffL)) ^ LOCAL_BIT);
  }

  /**
   * The GUID of a device with this address (modified EUI-64, RFC 4291).
   *
   * @return the address with ff:fe in its middle and the universal/local bit inverted
   */
  public long toGuid() {
    long local = bits ^ LOCAL_BIT;
    return ((local & 0xffff_ff00_0000L) << 16) | 0xff_fe00_0000L | (local & 0xff_ffffL);
  }

  /**
   * Whether the address stands for a group of stations, or for all of them.
   *
   * @return true for multicast and broadcast
   */
  public boolean isMulticast() {
    return (bits & GROUP_BIT) != 0;
  }

  /** The usual spelling. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = BYTES - 1; i >= 0; i--) {
      text.append(String.format("%02x", (bits >>> (8 * i)) & 0xff)).append(i == 0 ? "" : ":");
    }
    return text.toString();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Parses and classifies IP addresses, without name lookups. */
public final class IpAddress {
  /** Address of all hosts of an IPv4 network. */
  public static final InetAddress BROADCAST = new Gid(0, 0xffff_ffff_ffffL).toAddress();

  private IpAddress() {}

  /**
   * Parses an IP address.
   *
   * @param text IPv4 or IPv6 address, possibly with a scope
   * @return the address
   * @throws IllegalArgumentException if the text is not an IP address
   */
  public static InetAddress parse(String text) {
    // A host name would be looked up. Addresses have only digits and dots, or a colon.
    if (!text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%.+)?")) {
      throw new IllegalArgumentException(text + " is not an IP address");
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException malformed) {
      throw new IllegalArgumentException(text + " is not an IP address", malformed);
    }
  }

  /**
   * Checks that an address can be that of a single device.
   *
   * @param address address to attach a device under
   * @throws FabricException if the address is unspecified, a multicast group, or the broadcast
   *     address
   */
  public static void checkIsOfOneHost(InetAddress address) {
    if (address.isAnyLocalAddress() || address.isMulticastAddress() || address.equals(BROADCAST)) {
      throw new FabricException(
          address.getHostAddress() + " is not the address of a single device", null);
    }
  }
}

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
   * The address of a text.
   *
   * @param text an IPv4 or IPv6 address, possibly with a scope
   * @return the address
   * @throws IllegalArgumentException if it is not an IP address
   */
  public static InetAddress parse(String text) {
    // Host names would be looked up on the network; addresses start with a digit or hold a colon.
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
   * Refuses to attach a device under an address that no single host can have.
   *
   * @param address the address
   * @throws FabricException if the address is unspecified, that of a group, or that of all hosts
   */
  public static void checkIsOfOneHost(InetAddress address) {
    if (address.isAnyLocalAddress() || address.isMulticastAddress() || address.equals(BROADCAST)) {
      throw new FabricException(
          address.getHostAddress() + " is not the address of a single device", null);
    }
  }
}

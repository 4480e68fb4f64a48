// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;

/** IP addresses of this host, all of which belong to its emulated device. */
final class HostAddresses {
  /** Limit of addresses: the GID table that programs see in files has as many entries. */
  private static final int MOST = 8;

  private static final String LOOPBACK = "127.0.0.1";

  private HostAddresses() {}

  /** Loopback address, addresses of the interfaces, and address of the host name, with commas. */
  static String all() {
    Set<String> addresses = new LinkedHashSet<>();
    addresses.add(LOOPBACK);
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(HostAddresses::isOfHost)
          .map(address -> address.getHostAddress().split("%", 2)[0])
          .forEach(addresses::add);
      addresses.add(InetAddress.getLocalHost().getHostAddress());
    } catch (SocketException | UnknownHostException unknown) {
      return String.join(",", addresses); // The addresses found so far are enough.
    }
    return String.join(",", addresses.stream().limit(MOST).toList());
  }

  /** Excludes link-local addresses and the IPv6 loopback address. */
  private static boolean isOfHost(InetAddress address) {
    boolean isOwnOfIpv6 = address instanceof Inet6Address && address.isLoopbackAddress();
    return !isOwnOfIpv6 && !address.isLinkLocalAddress();
  }
}

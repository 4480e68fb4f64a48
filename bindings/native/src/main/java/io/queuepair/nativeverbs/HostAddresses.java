// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;

/** The addresses of this host: all lead to its device. */
final class HostAddresses {
  /** As many entries has the GID table that programs see in files. */
  private static final int MOST = 8;

  private static final String LOOPBACK = "127.0.0.1";

  private HostAddresses() {}

  /** The loopback address, those of the interfaces, and that of the name, with commas. */
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
      return String.join(",", addresses); // What is known is enough.
    }
    return String.join(",", addresses.stream().limit(MOST).toList());
  }

  /** Leaves out addresses that mean something on one link only, and that of IPv6 to itself. */
  private static boolean isOfHost(InetAddress address) {
    boolean isOwnOfIpv6 = address instanceof Inet6Address && address.isLoopbackAddress();
    return !isOwnOfIpv6 && !address.isLinkLocalAddress();
  }
}

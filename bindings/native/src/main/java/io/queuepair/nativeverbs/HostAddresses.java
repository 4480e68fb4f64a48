// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** IP addresses of this host, all of which lead to its emulated device. */
final class HostAddresses {
  /** Limit of addresses: the GID table that programs see in files has as many entries. */
  private static final int MOST = 8;

  private static final String LOOPBACK = "127.0.0.1";

  /** Addresses of the device; empty if it was given others than those of this host. */
  private static volatile Set<String> ofDevice = Set.of();

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
      return known(addresses); // The addresses found so far are enough.
    }
    return known(addresses);
  }

  private static String known(Set<String> addresses) {
    List<String> most = addresses.stream().limit(MOST).toList();
    ofDevice = Set.copyOf(most);
    return String.join(",", most);
  }

  /**
   * Replaces an address of this host that the device lacks, such as 127.0.0.2, by the wildcard,
   * which means this host as well. Those at which another service listens are kept.
   */
  static InetSocketAddress atDevice(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    if (ofDevice.isEmpty()
        || host.isMulticastAddress()
        || ofDevice.contains(host.getHostAddress())) {
      return address;
    }
    try {
      new DatagramSocket(new InetSocketAddress(host, HostService.UDP_PORT)).close();
      byte[] wildcard = new byte[host.getAddress().length];
      return new InetSocketAddress(InetAddress.getByAddress(wildcard), address.getPort());
    } catch (SocketException | UnknownHostException ofOthers) {
      return address;
    }
  }

  /** Excludes link-local addresses and the IPv6 loopback address. */
  private static boolean isOfHost(InetAddress address) {
    boolean isOwnOfIpv6 = address instanceof Inet6Address && address.isLoopbackAddress();
    return !isOwnOfIpv6 && !address.isLinkLocalAddress();
  }
}

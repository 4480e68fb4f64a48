// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.udp.UdpOptions;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.Comparator;
import java.util.stream.Stream;

/** Chooses the address of the device if {@code --bind} is not given. */
public final class LocalAddresses {
  private LocalAddresses() {}

  /** Returns the source address that the system uses to reach a host; sends nothing. */
  public static InetAddress toReach(InetAddress host) {
    boolean isIpv4 = host instanceof Inet4Address;
    var family = isIpv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    try (DatagramChannel probe = DatagramChannel.open(family)) {
      probe.connect(new InetSocketAddress(host, UdpOptions.ROCE_PORT));
      return ((InetSocketAddress) probe.getLocalAddress()).getAddress();
    } catch (IOException e) {
      throw new CommandFailure(
          "Couldn't find a way to " + host.getHostAddress() + ": " + e.getMessage(), e);
    }
  }

  /** Returns an address where others may reach this host, IPv4 first; else 127.0.0.1. */
  public static InetAddress first() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(LocalAddresses::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .flatMap(LocalAddresses::reachable)
          .min(Comparator.comparing(address -> !(address instanceof Inet4Address)))
          .orElseGet(InetAddress::getLoopbackAddress);
    } catch (SocketException e) {
      throw new CommandFailure("Couldn't list the addresses of this host: " + e.getMessage(), e);
    }
  }

  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp();
    } catch (SocketException vanished) {
      return false;
    }
  }

  private static Stream<InetAddress> reachable(InetAddress address) {
    boolean isPrivate = address.isLoopbackAddress() || address.isLinkLocalAddress();
    return isPrivate ? Stream.empty() : Stream.of(address);
  }
}

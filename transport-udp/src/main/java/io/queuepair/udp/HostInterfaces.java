// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.ChannelException;
import io.netty.channel.socket.DatagramChannel;
import io.queuepair.emulator.fabric.FabricException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks addresses up among the host's network interfaces. */
final class HostInterfaces {
  private static final Logger LOG = LoggerFactory.getLogger(HostInterfaces.class);

  /** MTU of Ethernet, used if the interface is unknown. */
  private static final int DEFAULT_MTU_BYTES = 1500;

  private HostInterfaces() {}

  /** Largest IP packet that can be sent from an address: the MTU of its interface. */
  static int mtuBytes(InetAddress address) {
    try {
      NetworkInterface owner = ownerOf(address);
      return owner == null ? DEFAULT_MTU_BYTES : owner.getMTU();
    } catch (SocketException e) {
      LOG.debug("No MTU known for {}", address.getHostAddress(), e);
      return DEFAULT_MTU_BYTES;
    }
  }

  private static NetworkInterface ownerOf(InetAddress address) throws SocketException {
    NetworkInterface owner = NetworkInterface.getByInetAddress(address);
    return owner == null && address.isLoopbackAddress()
        // Linux answers for all of 127.0.0.0/8 but lists 127.0.0.1 only.
        ? NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
        : owner;
  }

  /**
   * The interface on which a device with that address joins groups.
   *
   * @throws FabricException if the interface is not known or has no multicast
   */
  static NetworkInterface withMulticast(InetAddress address) {
    try {
      NetworkInterface owner = ownerOf(address);
      if (owner != null && owner.supportsMulticast()) {
        return owner;
      }
      String host = address.getHostAddress();
      throw new FabricException(
          owner == null
              ? host + " has no known interface, so it can join no multicast group"
              : owner.getName() + ", the interface of " + host + ", has no multicast",
          null);
    } catch (SocketException e) {
      throw new FabricException(
          "The interface of " + address.getHostAddress() + " is not known: " + e.getMessage(), e);
    }
  }

  /** Sends a socket's multicast through the interface of an address, if that supports multicast. */
  static void sendMulticastFrom(DatagramChannel socket, InetAddress address) {
    try {
      NetworkInterface owner = ownerOf(address);
      if (owner != null && owner.supportsMulticast()) {
        socket.config().setNetworkInterface(owner);
      }
    } catch (SocketException | ChannelException e) {
      LOG.debug("{}: multicast leaves as the host routes it", address.getHostAddress(), e);
    }
  }

  /** Adds the interface to a link-local address, without which the kernel cannot bind it. */
  static InetAddress withScope(InetAddress address) {
    if (!lacksScope(address)) {
      return address;
    }
    try {
      NetworkInterface owner = NetworkInterface.getByInetAddress(address);
      return owner == null ? address : scoped(address, owner.getIndex());
    } catch (SocketException e) {
      LOG.debug("No interface known for {}", address.getHostAddress(), e);
      return address;
    }
  }

  /** Adds the interface of the sender to a destination that is link-local. */
  static InetAddress withScopeOf(InetAddress sender, InetAddress destination) {
    return lacksScope(destination) && sender instanceof Inet6Address own
        ? scoped(destination, own.getScopeId())
        : destination;
  }

  /** Adds an interface to a group that is link-local. */
  static InetAddress withScopeOf(NetworkInterface network, InetAddress group) {
    return lacksScope(group) ? scoped(group, network.getIndex()) : group;
  }

  private static boolean lacksScope(InetAddress address) {
    return address instanceof Inet6Address own
        && own.getScopeId() == 0
        && (own.isLinkLocalAddress() || own.isMCLinkLocal());
  }

  private static InetAddress scoped(InetAddress address, int scopeId) {
    try {
      return Inet6Address.getByAddress(null, address.getAddress(), scopeId);
    } catch (UnknownHostException e) {
      throw new AssertionError("an IPv6 address has 16 bytes", e);
    }
  }
}

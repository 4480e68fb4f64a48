// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sockets of the JDK: available on every host, one system call for each datagram. */
final class NioSockets implements Sockets {
  private static final Logger LOG = LoggerFactory.getLogger(NioSockets.class);

  private static final int OLDEST_WITH_DONTFRAGMENT = 19;

  private final UdpOptions options;
  private final boolean sendsKnownIdentification;

  NioSockets(UdpOptions options) {
    this.options = options;
    this.sendsKnownIdentification = canForbidFragments();
  }

  private static boolean canForbidFragments() {
    try (var socket = java.nio.channels.DatagramChannel.open(StandardProtocolFamily.INET)) {
      return dontFragment(socket).isPresent();
    } catch (IOException e) {
      LOG.debug("Cannot ask a UDP socket for its options", e);
      return false;
    }
  }

  /** {@code IP_DONTFRAGMENT}, which JDK 17 does not have. On Linux it implies identification 0. */
  @SuppressWarnings("unchecked") // The option of this name is a Boolean wherever there is one.
  private static Optional<SocketOption<Boolean>> dontFragment(
      java.nio.channels.DatagramChannel socket) {
    return socket.supportedOptions().stream()
        .filter(option -> option.name().equals("IP_DONTFRAGMENT"))
        .map(option -> (SocketOption<Boolean>) option)
        .findFirst();
  }

  @Override
  public IoHandlerFactory driver() {
    return NioIoHandler.newFactory();
  }

  @Override
  public DatagramChannel open(InetAddress address) throws IOException {
    ProtocolFamily family =
        address instanceof Inet6Address
            ? StandardProtocolFamily.INET6
            : StandardProtocolFamily.INET;
    NioDatagramChannel channel =
        new NioDatagramChannel(configured(java.nio.channels.DatagramChannel.open(family)));
    channel.config().setReuseAddress(address.isMulticastAddress());
    ReceiveBufferPool.forSingles(LARGEST_PACKET_BYTES).serve(channel);
    return channel;
  }

  private java.nio.channels.DatagramChannel configured(java.nio.channels.DatagramChannel socket)
      throws IOException {
    socket.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferBytes());
    socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
    Optional<SocketOption<Boolean>> dontFragment = dontFragment(socket);
    if (dontFragment.isPresent()) {
      socket.setOption(dontFragment.get(), true);
    }
    return socket;
  }

  @Override
  public boolean surviveInterrupts() {
    return false;
  }

  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public boolean sendsKnownIdentification() {
    return sendsKnownIdentification;
  }

  @Override
  public String identificationNeeds() {
    boolean isNewEnough = Runtime.version().feature() >= OLDEST_WITH_DONTFRAGMENT;
    boolean hasModule = ModuleLayer.boot().findModule("jdk.net").isPresent();
    return needs(isNewEnough, hasModule) + " or epoll, which needs " + EpollSockets.NEEDS;
  }

  static String needs(boolean isNewEnough, boolean hasModule) {
    if (!isNewEnough) {
      return "JDK 19 or newer (this is JDK " + Runtime.version().feature() + "),";
    }
    return hasModule
        ? "a system that has IP_DONTFRAGMENT"
        : "the JDK's module jdk.net (add --add-modules jdk.net, to java or to jlink),";
  }

  @Override
  public boolean acceptsNoChecksum() {
    return false;
  }
}

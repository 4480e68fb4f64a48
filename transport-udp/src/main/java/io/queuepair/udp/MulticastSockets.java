// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.DatagramChannel;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Station;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets through which one device receives multicast: one for each group, bound to the group and
 * joined on the interface of the device's address. A socket shows the source of a datagram but not
 * its destination, so the socket of the device itself could not tell groups apart.
 */
final class MulticastSockets {
  private static final Logger LOG = LoggerFactory.getLogger(MulticastSockets.class);

  private final InetAddress address;
  private final Station station;
  private final UdpContext context;
  private final boolean refusesOthers;
  private final Map<InetAddress, DatagramChannel> members = new ConcurrentHashMap<>();

  MulticastSockets(
      InetAddress address, Station station, UdpContext context, boolean refusesOthers) {
    this.address = address;
    this.station = station;
    this.context = context;
    this.refusesOthers = refusesOthers;
  }

  /**
   * Joins a group, unless the device is a member already.
   *
   * @throws FabricException if the interface has no multicast, or the host refuses
   */
  synchronized void join(InetAddress group) {
    if (members.containsKey(group)) {
      return;
    }
    context.loop().checkCallerMayOpen("join()");
    NetworkInterface network = HostInterfaces.withMulticast(address);
    InetAddress bound = HostInterfaces.withScopeOf(network, group);
    DatagramHandler datagramHandler = new DatagramHandler(group, station, context, refusesOthers);
    DatagramChannel socket = BoundSockets.open(context, bound, datagramHandler);
    ChannelFuture joined = socket.joinGroup(group, network, null);
    BoundSockets.settle(context, socket, group, joined);
    if (!joined.isSuccess()) {
      BoundSockets.close(context, socket);
      throw new FabricException(
          address.getHostAddress()
              + " cannot join the group "
              + group.getHostAddress()
              + " on "
              + network.getName()
              + ": "
              + SocketErrors.reasonOf(joined.cause()),
          joined.cause());
    }
    members.put(group, socket);
  }

  void leave(InetAddress group) {
    DatagramChannel socket = members.remove(group);
    if (socket != null) {
      socket.close().addListener(closed -> note(group, closed.cause()));
    }
  }

  private void note(InetAddress group, Throwable failure) {
    if (failure != null) {
      LOG.debug("{}: leaving {} failed", address.getHostAddress(), group, failure);
    }
  }

  /** Leaves all groups. */
  void close() {
    members.keySet().forEach(this::leave);
  }
}

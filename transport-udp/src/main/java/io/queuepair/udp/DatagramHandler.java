// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.queuepair.emulator.fabric.Station;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the datagrams of a socket to its device, one round of reading at a time. */
final class DatagramHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(DatagramHandler.class);
  private static final int REFUSED_PEERS_NAMED = 1024;

  private final InetAddress address;
  private final Station station;
  private final UdpContext state;
  private final boolean refusesOthers;
  private final ReceivedBatch arrivals;
  private final Runnable delivery = this::handOver;
  private final Set<InetAddress> refusedPeers = new HashSet<>();

  DatagramHandler(InetAddress address, Station station, UdpContext state, boolean refusesOthers) {
    this.address = address;
    this.station = station;
    this.state = state;
    this.refusesOthers = refusesOthers;
    this.arrivals = new ReceivedBatch(address);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    DatagramPacket packet = (DatagramPacket) message;
    if (isRefused(packet.sender())) {
      packet.release();
    } else {
      arrivals.add(packet);
    }
  }

  private boolean isRefused(InetSocketAddress sender) {
    // Devices of this software send from the port they are bound to; others use any port.
    if (!refusesOthers || sender.getPort() == state.options().port()) {
      return false;
    }
    state.udpStats().refused();
    InetAddress peer = sender.getAddress();
    if (refusedPeers.size() < REFUSED_PEERS_NAMED && refusedPeers.add(peer)) {
      LOG.warn(
          "{} refuses {}: it would drop our datagrams, whose IPv4 identification cannot be fixed"
              + " here. That needs {}",
          address.getHostAddress(),
          peer.getHostAddress(),
          state.sockets().identificationNeeds());
    }
    return true;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    deliver(context);
  }

  private void deliver(ChannelHandlerContext context) {
    try {
      if (arrivals.datagrams() > 0 && context.channel().isOpen()) {
        state.executor().run(delivery);
      }
    } finally {
      arrivals.clear();
    }
  }

  private void handOver() {
    var bursts = arrivals.bursts();
    state.udpStats().received(bursts.size(), arrivals.datagrams(), arrivals.totalBytes());
    station.receive(bursts);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    state.executor().resume();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      // The socket reports ICMP errors about datagrams sent earlier, which need no action.
      state.udpStats().receiveFailed();
      LOG.debug("{}: reading failed", address.getHostAddress(), cause);
    } else {
      LOG.error("{}: receiving failed", address.getHostAddress(), cause);
    }
  }
}

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

/** Hands one device what its socket receives: all that one round of reading brought at once. */
final class Inbox extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int REFUSED_PEERS_NAMED = 1024;

  private final InetAddress address;
  private final Station station;
  private final LoopState state;
  private final boolean refusesOthers;
  private final Arrivals arrivals;
  private final Runnable delivery = this::handOver;
  private final Set<InetAddress> refusedPeers = new HashSet<>();

  Inbox(InetAddress address, Station station, LoopState state, boolean refusesOthers) {
    this.address = address;
    this.station = station;
    this.state = state;
    this.refusesOthers = refusesOthers;
    this.arrivals = new Arrivals(address);
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
    // Devices of this kind send from the port they bind; everything else chooses ports at will.
    if (!refusesOthers || sender.getPort() == state.options().port()) {
      return false;
    }
    state.meter().refused();
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
        state.turns().run(delivery);
      }
    } finally {
      arrivals.clear();
    }
  }

  private void handOver() {
    var bursts = arrivals.bursts();
    state.meter().received(bursts.size(), arrivals.datagrams(), arrivals.totalBytes());
    station.receive(bursts);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    state.turns().resume();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      // The socket passes on what routers say of datagrams sent earlier; nothing to do about it.
      state.meter().receiveFailed();
      LOG.debug("{}: reading failed", address.getHostAddress(), cause);
    } else {
      LOG.error("{}: receiving failed", address.getHostAddress(), cause);
    }
  }
}

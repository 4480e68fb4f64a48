package io.queuepair.udp;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real network: RoCEv2 datagrams over UDP. Each device has a socket on its own address; one
 * thread, which does not keep the program alive, moves the datagrams and fires the timers of all.
 */
public final class UdpFabric implements Fabric {
  private static final Logger LOG = LoggerFactory.getLogger(UdpFabric.class);
  private static final long CLOSE_SECONDS = 5;

  private final EventLoopGroup group;
  private final LoopState state;
  private final Scheduler scheduler;
  private final Map<InetAddress, Attachment> attachments = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  /** The place of one address; its link is null while the socket is being opened. */
  private static final class Attachment {
    private volatile UdpLink link;
  }

  private UdpFabric(UdpOptions options) {
    Sockets sockets = Sockets.of(options);
    this.group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("queuepair-udp", true), sockets.driver());
    this.state = new LoopState(options, sockets, new Turns(group.next()));
    this.scheduler = new LoopScheduler(state.turns());
  }

  /**
   * Opens the network with {@link UdpOptions#defaults()}.
   *
   * @return a network without devices
   */
  public static UdpFabric open() {
    return open(UdpOptions.defaults());
  }

  /**
   * Opens the network.
   *
   * @param options which sockets to use and how
   * @return a network without devices
   * @throws FabricException if the host lacks what the options ask for
   */
  public static UdpFabric open(UdpOptions options) {
    return new UdpFabric(options);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * {@inheritDoc} Not to be called by the network's own thread, which opens the socket; that thread
   * may call the station before this method returns.
   */
  @Override
  public Link attach(InetAddress address, Station station) {
    refuseUnusable(address);
    Attachment attachment = new Attachment();
    if (attachments.putIfAbsent(address, attachment) != null) {
      throw new FabricException(
          address.getHostAddress() + " is already attached to this network", null);
    }
    try {
      attachment.link =
          new UdpLink(address, station, state, () -> attachments.remove(address, attachment));
    } finally {
      if (attachment.link == null) {
        attachments.remove(address, attachment);
      }
    }
    if (isClosed) {
      attachment.link.close();
      throw closed();
    }
    return attachment.link;
  }

  private void refuseUnusable(InetAddress address) {
    if (isClosed) {
      throw closed();
    }
    if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
      throw new FabricException(
          address.getHostAddress() + " is not the address of a single device", null);
    }
    if (state.turns().loop().inEventLoop()) {
      throw new FabricException(
          "attach() was called by the network's own thread, which would wait for itself", null);
    }
  }

  private static FabricException closed() {
    return new FabricException("The UDP network is closed", null);
  }

  /**
   * What has been moved so far.
   *
   * @return counts since the network was opened
   */
  public UdpCounters counters() {
    return state.meter().counters();
  }

  /** {@inheritDoc} The addresses are free again at return. The caller must hold no lock. */
  @Override
  public void close() {
    isClosed = true;
    for (Attachment attachment : attachments.values()) {
      if (attachment.link != null) {
        attachment.link.close();
      }
    }
    var ended = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    if (!state.turns().loop().inEventLoop()
        && !ended.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("The UDP network's thread did not end in time");
    }
  }
}

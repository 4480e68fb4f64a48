// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.ResponderResources;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The real network: RoCEv2 datagrams over UDP. Each device has a socket on its own address. One
 * thread at a time moves the datagrams and fires the timers of all devices: the daemon thread of
 * the network, or a thread of the application that posts, polls or waits. With caller-driven
 * progress ({@link UdpOptions#withProgress}) only the application's thread does.
 */
public final class UdpFabric implements Fabric {
  private final ProgressLoop loop;
  private final UdpContext context;
  private final Scheduler scheduler;
  private final Map<InetAddress, AttachedAddress> attachments = new ConcurrentHashMap<>();

  /** Entry of an attached address; its link is null while the socket is being opened. */
  private static final class AttachedAddress {
    private volatile UdpLink link;
  }

  /**
   * Opens a network.
   *
   * @param sockets of the kind that the options ask for
   */
  UdpFabric(UdpOptions options, Sockets sockets) {
    this(options, sockets, new LostPackets());
  }

  private UdpFabric(UdpOptions options, Sockets sockets, LostPackets lost) {
    this.loop = ProgressLoop.of(options, sockets);
    this.context = new UdpContext(options, sockets, loop, lost);
    this.scheduler = new LoopScheduler(context);
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
    return new UdpFabric(options, Sockets.of(options));
  }

  /**
   * Opens the network as a part of another one.
   *
   * @param options which sockets to use and how
   * @param lost record of lost packets of the whole network
   * @return a network without devices
   * @throws FabricException if the host lacks what the options ask for
   */
  public static UdpFabric open(UdpOptions options, LostPackets lost) {
    return new UdpFabric(options, Sockets.of(options), lost);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public PacketForm form() {
    return PacketForm.ENCODED;
  }

  @Override
  public int mtuBytes(InetAddress own) {
    return HostInterfaces.mtuBytes(own);
  }

  @Override
  public int sourcePort() {
    return context.options().port();
  }

  @Override
  public long receiveBufferBytes(InetAddress own) {
    AttachedAddress attachment = attachments.get(own);
    if (attachment == null || attachment.link == null) {
      throw new FabricException(own.getHostAddress() + " is not attached to this network", null);
    }
    return attachment.link.receiveBufferBytes();
  }

  /** {@inheritDoc} Asks the kernel, which looks for a route when a socket is connected. */
  @Override
  public boolean hasRoute(InetAddress source, InetAddress destination) {
    if (destination.isMulticastAddress()) {
      return true;
    }
    InetAddress from = HostInterfaces.withScope(source);
    InetAddress to = HostInterfaces.withScopeOf(from, destination);
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.bind(new InetSocketAddress(from, 0));
      probe.connect(new InetSocketAddress(to, sourcePort()));
      return true;
    } catch (IOException unreachable) {
      return false;
    }
  }

  @Override
  public LostPackets lostPackets() {
    return context.lost();
  }

  @Override
  public ResponderResources responderResources() {
    return context.responderResources();
  }

  /**
   * {@inheritDoc} Must not be called by the network's own thread, which opens the socket; that
   * thread may call the station before this method returns. With caller-driven progress, the thread
   * that attaches the first device must drive the network and attach all other devices.
   */
  @Override
  public Link attach(InetAddress address, Station station) {
    AttachedAddress attachment = new AttachedAddress();
    context.closeGate().enter(() -> open(attachment, address, station));
    return attachment.link;
  }

  private void open(AttachedAddress attachment, InetAddress address, Station station) {
    refuseUnusable(address);
    if (attachments.putIfAbsent(address, attachment) != null) {
      throw new FabricException(
          address.getHostAddress() + " is already attached to this network", null);
    }
    try {
      attachment.link =
          new UdpLink(address, station, context, () -> attachments.remove(address, attachment));
    } finally {
      if (attachment.link == null) {
        attachments.remove(address, attachment);
      }
    }
  }

  private void refuseUnusable(InetAddress address) {
    IpAddress.checkIsOfOneHost(address);
    loop.checkCallerMayOpen("attach()");
  }

  /**
   * Counts the traffic so far.
   *
   * @return counts since the network was opened
   */
  public UdpCounters counters() {
    return context.udpStats().counters();
  }

  /**
   * {@inheritDoc} Waits for devices that are being attached; later ones are refused with a {@link
   * FabricException}. The addresses are free again at return. The caller must hold no lock. With
   * caller-driven progress, the thread that drove the network closes it; or another thread, while
   * the driving thread waits, which ends that wait, or after it has ended.
   */
  @Override
  public void close() {
    context.closeGate().close();
    for (AttachedAddress attachment : attachments.values()) {
      attachment.link.close();
    }
    loop.close();
  }
}

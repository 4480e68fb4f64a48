// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Network inside the process. Any address can be attached. Traffic between two stations arrives in
 * the order of sending; traffic to unknown addresses is lost. The network is one Ethernet segment:
 * a frame reaches all other stations that have joined it. Traffic to a multicast group reaches
 * every station that has joined the group.
 */
public final class InMemoryFabric implements Fabric {
  private final InMemoryOptions options;
  private final EventLoop loop;
  private final LostPackets lost = new LostPackets();
  private final ResponderResources responderResources = new ResponderResources();

  /** Links by address or group. A list is replaced, never changed: readers need no lock. */
  private final Map<InetAddress, List<InMemoryLink>> links = new ConcurrentHashMap<>();

  /** Links that have joined the Ethernet segment, in the order of joining; guarded by this. */
  private final Set<InMemoryLink> segment = new LinkedHashSet<>();

  /** Immutable copy of {@link #segment}; null from a change to the next frame. */
  private volatile @Nullable List<InMemoryLink> segmentList;

  private volatile boolean isClosed;

  private InMemoryFabric(InMemoryOptions options, EventLoop loop) {
    this.options = options;
    this.loop = loop;
  }

  /**
   * Creates a network in simulated time, which waiting callers advance.
   *
   * @return a network without stations
   */
  public static InMemoryFabric virtualTime() {
    return create(InMemoryOptions.virtualTime());
  }

  /**
   * Creates a network in real time. Its own thread, or a thread that waits for it, runs it until it
   * is closed.
   *
   * @return a network without stations
   */
  public static InMemoryFabric realTime() {
    return create(InMemoryOptions.realTime());
  }

  /**
   * Creates a network with the given options.
   *
   * @param options time, latency and form
   * @return a network without stations
   */
  public static InMemoryFabric create(InMemoryOptions options) {
    options.check();
    return new InMemoryFabric(
        options,
        switch (options.time()) {
          case VIRTUAL -> new VirtualScheduler(options.pollRunsEvents(), options.maxEmptyPolls());
          case REAL -> RealTimeScheduler.started();
        });
  }

  /**
   * Creates a network in real time that the owner of a scheduler runs.
   *
   * @param scheduler scheduler of the network
   * @param options latency and form; the time is real
   * @return a network without stations
   */
  public static InMemoryFabric drivenBy(DrivenScheduler scheduler, InMemoryOptions options) {
    options.check();
    return new InMemoryFabric(options, scheduler);
  }

  @Override
  public Scheduler scheduler() {
    return loop;
  }

  @Override
  public PacketForm form() {
    return options.isWireExact() ? PacketForm.ENCODED : PacketForm.OBJECTS;
  }

  @Override
  public int mtuBytes(InetAddress own) {
    return options.mtuBytes();
  }

  @Override
  public boolean reaches(InetAddress peer) {
    return peer.isMulticastAddress() || peer.equals(IpAddress.BROADCAST) || links.containsKey(peer);
  }

  /** Whether a device has the address, or has joined the group. */
  boolean hasReceiver(InetAddress destination) {
    return links.containsKey(destination);
  }

  @Override
  public boolean hasSegment() {
    return true;
  }

  @Override
  public synchronized void joinSegment(InetAddress own) {
    segment.addAll(links.getOrDefault(own, List.of()));
    segmentList = null;
  }

  @Override
  public LostPackets lostPackets() {
    return lost;
  }

  @Override
  public ResponderResources responderResources() {
    return responderResources;
  }

  @Override
  public synchronized Link attach(InetAddress address, Station station) {
    if (isClosed) {
      throw new FabricException("The network is closed; nothing can be attached to it.", null);
    }
    IpAddress.checkIsOfOneHost(address);
    if (links.containsKey(address)) {
      throw new FabricException(
          address.getHostAddress() + " is taken: another device is attached under it.", null);
    }
    InMemoryLink link = new InMemoryLink(this, station);
    join(address, link);
    return link;
  }

  synchronized void join(InetAddress address, InMemoryLink link) {
    if (link.destinations().add(address)) {
      List<InMemoryLink> newLinks = new ArrayList<>(links.getOrDefault(address, List.of()));
      newLinks.add(link);
      links.put(address, List.copyOf(newLinks));
    }
  }

  synchronized void leave(InetAddress address, InMemoryLink link) {
    if (link.destinations().remove(address)) {
      removeLink(address, link);
    }
  }

  private void removeLink(InetAddress address, InMemoryLink link) {
    List<InMemoryLink> newLinks = new ArrayList<>(links.getOrDefault(address, List.of()));
    newLinks.remove(link);
    if (newLinks.isEmpty()) {
      links.remove(address);
    } else {
      links.put(address, List.copyOf(newLinks));
    }
  }

  synchronized void detach(InMemoryLink link) {
    link.destinations().forEach(address -> removeLink(address, link));
    link.destinations().clear();
    if (segment.remove(link)) {
      segmentList = null;
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      links.values().forEach(here -> here.forEach(InMemoryLink::disconnect));
      links.clear();
    }
    loop.close();
  }

  InMemoryOptions options() {
    return options;
  }

  /** Schedules the arrival of a frame at all other links of the segment. */
  void transmit(Frame frame, InMemoryLink senderLink) {
    callAt(loop.nowNanos() + options.latencyNanos(), () -> deliver(frame, senderLink));
  }

  void transmit(DeliveryEvent event) {
    loop.schedule(event, loop.nowNanos() + options.latencyNanos());
  }

  /** Schedules a task after the events that are already due. */
  void callSoon(Runnable task) {
    callAt(loop.nowNanos(), task);
  }

  private void callAt(long nanos, Runnable task) {
    loop.timer(task).arm(nanos);
  }

  private void deliver(Frame frame, InMemoryLink senderLink) {
    List<InMemoryLink> receiverLinks = segmentList;
    try {
      for (InMemoryLink receiverLink : receiverLinks == null ? listSegment() : receiverLinks) {
        if (receiverLink != senderLink && !receiverLink.isCut()) {
          receiverLink.station().receive(List.of(frame));
        }
      }
    } finally {
      // A receiver's bug must not leave the sender waiting for room.
      senderLink.arrived(1);
    }
  }

  private synchronized List<InMemoryLink> listSegment() {
    List<InMemoryLink> allLinks = List.copyOf(segment);
    segmentList = allLinks;
    return allLinks;
  }

  /** Links that receive what is sent to an address or group; empty if there are none. */
  List<InMemoryLink> receiversOf(InetAddress destination) {
    return links.getOrDefault(destination, List.of());
  }

  /** Records traffic to an address without a device. */
  void lose(Traffic traffic) {
    if (traffic instanceof IpTraffic ipTraffic) {
      int at = ipTraffic instanceof DatagramBurst burst ? burst.bytes().position() : 0;
      String unknown = "no device has the address " + ipTraffic.destination().getHostAddress();
      lost.add(ipTraffic, at, "not delivered: " + unknown);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Link of one station to a {@link HostFabric}. It consists of two links; the destination of each
 * packet decides which one is taken. Packets to other hosts are encoded at once and wait for the
 * turn that the outside network gives the station.
 */
final class HostLink implements DirectLink {
  private static final Logger LOG = LoggerFactory.getLogger(HostLink.class);

  /** Maximum number of bursts that wait for the outside network. */
  static final int MAX_WAITING = 256;

  /** Maximum size of the waiting bursts in bytes, as their wait delays the answers. */
  static final int MAX_WAITING_BYTES = 2 * BURST_BYTES;

  /** Time after which a failed attempt to open the outside network is repeated. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HostFabric fabric;
  private final InMemoryFabric insideFabric;
  private final InetAddress address;
  private final Station station;
  private final InMemoryLink inside;
  private final BurstEncoder encoder = new BurstEncoder(new Queued(this));
  private final Queue<DatagramBurst> waitingBursts = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCount = new AtomicInteger();
  private final AtomicInteger waitingBytes = new AtomicInteger();

  /** Whether the station found too much waiting, and is to have a turn when there is less. */
  private volatile boolean isStalled;

  /** Link to other hosts; null until it is open. */
  private volatile @Nullable Link outsideLink;

  /** Reason why the link to other hosts is not open; null if it is, or if opening was not tried. */
  private volatile @Nullable String refusal;

  /** Whether the link to other hosts is being opened, or is about to be. Guarded by this. */
  private boolean isOpening;

  /** Time of the latest failure to open the link to other hosts. Guarded by this. */
  private long refusedNanos;

  /** Guarded by this. */
  private boolean isClosed;

  /** Guarded by this. */
  private final Set<InetAddress> groups = new LinkedHashSet<>();

  HostLink(HostFabric fabric, InMemoryFabric insideFabric, InetAddress address, Station station) {
    this.fabric = fabric;
    this.insideFabric = insideFabric;
    this.address = address;
    this.station = station;
    inside = (InMemoryLink) insideFabric.attach(address, station);
  }

  /**
   * Attaches the station to the outside network.
   *
   * @throws FabricException if the address is not available there
   */
  void bind() {
    Link openedLink = fabric.outside().attach(address, new OutsideStation());
    List<InetAddress> toJoin;
    synchronized (this) {
      outsideLink = openedLink;
      refusal = null;
      toJoin = new ArrayList<>(groups);
    }
    toJoin.forEach(openedLink::join);
  }

  /** Variant of this link that sends every packet to the outside network. */
  private static final class Queued extends ForwardingLink {
    private final HostLink link;

    private Queued(HostLink link) {
      super(link);
      this.link = link;
    }

    @Override
    public void send(Traffic traffic, @Nullable String note) {
      link.queue((DatagramBurst) traffic);
    }
  }

  /** Station that the outside network sees. The thread of that network calls it. */
  private final class OutsideStation implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {
      List<? extends Traffic> foreign = foreign(traffic);
      if (!foreign.isEmpty()) {
        station.receive(foreign);
      }
    }

    @Override
    public void transmit() {
      drain();
    }

    @Override
    public OptionalInt requesterOf(InetAddress responder, int destQpn) {
      return station.requesterOf(responder, destQpn);
    }
  }

  /** Traffic without packets that this host has sent to a group: they have arrived already. */
  private List<? extends Traffic> foreign(List<? extends Traffic> traffic) {
    boolean hasOwn = false;
    for (int i = 0; i < traffic.size(); i++) {
      hasOwn |= isOwn(traffic.get(i));
    }
    return hasOwn ? traffic.stream().filter(one -> !isOwn(one)).toList() : traffic;
  }

  private boolean isOwn(Traffic traffic) {
    return traffic instanceof IpTraffic ipTraffic && insideFabric.reaches(ipTraffic.source());
  }

  /** {@inheritDoc} It is that of the link to other hosts. */
  @Override
  public int maxSegments() {
    Link other = outsideLink;
    return other == null ? 1 : other.maxSegments();
  }

  @Override
  public boolean isWritable() {
    if (!inside.isWritable()) {
      return false;
    }
    if (mayWait(1)) {
      return true;
    }
    isStalled = true;
    return mayWait(1);
  }

  /** Whether the waiting bursts use less than one {@code share}th of the limits. */
  private boolean mayWait(int share) {
    return waitingCount.get() < MAX_WAITING / share
        && waitingBytes.get() < MAX_WAITING_BYTES / share;
  }

  @Override
  public boolean hasRoom() {
    return inside.hasRoom() && mayWait(1);
  }

  @Override
  public ByteBuffer borrow() {
    return inside.borrow();
  }

  @Override
  public void send(Traffic traffic, @Nullable String note) {
    if (!(traffic instanceof IpTraffic ipTraffic)
        || (traffic instanceof DatagramBurst burst && !burst.bytes().hasRemaining())) {
      inside.send(traffic, note);
      return;
    }
    InetAddress destination = ipTraffic.destination();
    boolean isGroup = destination.isMulticastAddress();
    boolean leaves = isGroup ? outsideLink != null : !insideFabric.reaches(destination);
    if (!leaves) {
      inside.send(traffic, note);
    } else if (isGroup && insideFabric.hasReceiver(destination)) {
      leave(own(ipTraffic)); // Before the other link owns the buffer.
      inside.send(traffic, note);
    } else {
      leave(ipTraffic);
    }
  }

  /** Copy of a burst, so that two links can each own a buffer; an envelope is not copied. */
  private static IpTraffic own(IpTraffic traffic) {
    if (!(traffic instanceof DatagramBurst burst)) {
      return traffic;
    }
    ByteBuffer copy = ByteBuffer.allocate(BURST_BYTES);
    copy.put(burst.bytes().duplicate()).flip();
    return new DatagramBurst(
        burst.source(), burst.sourcePort(), burst.destination(), copy, burst.segmentBytes());
  }

  private void leave(IpTraffic traffic) {
    if (traffic instanceof PacketEnvelope envelope) {
      encoder.add(envelope.packet());
    } else {
      queue((DatagramBurst) traffic);
    }
  }

  /** Queues a burst for the outside network's turn, and opens that network if needed. */
  private void queue(DatagramBurst burst) {
    waitingBytes.addAndGet(burst.bytes().remaining());
    waitingCount.incrementAndGet();
    waitingBursts.add(burst);
    if (outsideLink == null) {
      openSoon();
    }
  }

  /** Schedules the opening of the outside network, as the station holds its lock now. */
  private void openSoon() {
    boolean opens;
    synchronized (this) {
      boolean isTooSoon =
          refusal != null && insideFabric.scheduler().nowNanos() - refusedNanos < RETRY_NANOS;
      opens = !isOpening && !isClosed && !isTooSoon;
      isOpening |= opens;
      if (isTooSoon) {
        loseWaiting();
      }
    }
    if (opens) {
      insideFabric.callSoon(this::open);
    }
  }

  private void open() {
    try {
      bind();
    } catch (FabricException e) {
      if (refusal == null) {
        LOG.warn("Packets to other hosts are lost: {}", e.getMessage());
      }
      synchronized (this) {
        refusal = e.getMessage();
        refusedNanos = insideFabric.scheduler().nowNanos();
      }
      loseWaiting();
    } finally {
      synchronized (this) {
        isOpening = false;
      }
    }
    Link openedLink = outsideLink;
    if (openedLink == null) {
      return;
    }
    if (isClosed()) {
      openedLink.close();
    } else {
      openedLink.ringDoorbell();
    }
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  private void loseWaiting() {
    for (DatagramBurst burst = take(); burst != null; burst = take()) {
      lose(burst, "not sent: " + refusal);
    }
  }

  private @Nullable DatagramBurst take() {
    DatagramBurst burst = waitingBursts.poll();
    if (burst != null) {
      waitingCount.decrementAndGet();
      waitingBytes.addAndGet(-burst.bytes().remaining());
    }
    return burst;
  }

  private void lose(DatagramBurst burst, String fate) {
    ByteBuffer bytes = burst.bytes();
    for (int at = bytes.position(); at < bytes.limit(); at += burst.segmentBytes()) {
      fabric.lostPackets().add(burst, at, fate);
    }
    inside.giveBack(bytes);
  }

  /** Sends waiting bursts, in a turn of the outside network. */
  private synchronized void drain() {
    Link link = outsideLink;
    if (link == null) {
      return; // The link is still being attached.
    }
    while (link.isWritable()) {
      DatagramBurst burst = take();
      if (burst == null) {
        break;
      }
      send(burst, link);
    }
    link.endTurn();
    if (isStalled && mayWait(2)) {
      isStalled = false;
      insideFabric.callSoon(inside::ringDoorbell);
    }
  }

  private void send(DatagramBurst burst, Link link) {
    ByteBuffer bytes = burst.bytes();
    int segments = (bytes.remaining() + burst.segmentBytes() - 1) / burst.segmentBytes();
    if (segments > link.maxSegments()) {
      // The ICRCs cover IPv4 identifications that only segmentation offload sets.
      lose(burst, "not sent: the interface has no segmentation offload");
      return;
    }
    ByteBuffer lent = link.borrow();
    lent.put(bytes.duplicate()).flip();
    inside.giveBack(bytes);
    link.send(
        new DatagramBurst(
            burst.source(),
            burst.sourcePort(),
            burst.destination(),
            lent,
            burst.segmentBytes(),
            burst.note()),
        null);
  }

  @Override
  public @Nullable PacketEnvelope pollRecycled() {
    return inside.pollRecycled();
  }

  @Override
  public void ownPayloads() {
    inside.ownPayloads();
  }

  @Override
  public void endTurn() {
    encoder.flush();
    inside.endTurn();
    Link other = outsideLink;
    if (other != null && !waitingBursts.isEmpty()) {
      other.ringDoorbell();
    }
  }

  @Override
  public void join(InetAddress group) {
    inside.join(group);
    Link other;
    synchronized (this) {
      groups.add(group);
      other = outsideLink;
    }
    if (other != null) {
      other.join(group);
    }
  }

  @Override
  public void leave(InetAddress group) {
    inside.leave(group);
    Link other;
    synchronized (this) {
      groups.remove(group);
      other = outsideLink;
    }
    if (other != null) {
      other.leave(group);
    }
  }

  @Override
  public void ringDoorbell() {
    inside.ringDoorbell();
  }

  @Override
  public boolean allowsInlineTransmit() {
    return inside.allowsInlineTransmit();
  }

  @Override
  public void close() {
    Link other;
    synchronized (this) {
      isClosed = true;
      other = outsideLink;
    }
    inside.close();
    if (other != null) {
      other.close();
    }
  }
}

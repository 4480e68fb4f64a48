// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Link of one station to an {@link InMemoryFabric}. */
final class InMemoryLink implements DirectLink {
  /** Maximum number of packets of one sender in flight, which limits memory. */
  static final int IN_FLIGHT_LIMIT = 4_096;

  /**
   * Maximum number of packets in one turn, if another thread delivers. That thread makes room as
   * fast as the turn fills it: a post could be kept busy with the long response of another queue
   * pair, and would hold the lock of the device all that time.
   */
  static final int TURN_LIMIT = 256;

  private final InMemoryFabric fabric;
  private final Station station;
  private final int burstPackets;
  private final int turnLimit;
  private final Queue<ByteBuffer> lendable = new ConcurrentLinkedQueue<>();

  /** Address and groups that the link receives for; guarded by the network. */
  private final Set<InetAddress> destinations = new LinkedHashSet<>();

  /** Packets of this turn to one destination that are not scheduled yet; or null. */
  private @Nullable DeliveryEvent pendingEvent;

  private int sentInTurn;

  /**
   * Envelopes in flight. They are sent in a turn of the station, of which there is one at a time.
   * Other threads read their number only after {@link #isStalled}, a volatile field that the sender
   * writes after sending.
   */
  private final RecyclingRing<PacketEnvelope> envelopeRing = new RecyclingRing<>(IN_FLIGHT_LIMIT);

  private final RecyclingRing<DeliveryEvent> deliveryRing = new RecyclingRing<>(IN_FLIGHT_LIMIT);

  /** Whether the station found the link full and waits for its turn. */
  private volatile boolean isStalled;

  private volatile boolean isCut;

  InMemoryLink(InMemoryFabric fabric, Station station) {
    this.fabric = fabric;
    this.station = station;
    burstPackets = fabric.options().burstPackets();
    boolean othersDeliver = fabric.options().time() == InMemoryOptions.Time.REAL;
    turnLimit = othersDeliver ? TURN_LIMIT : Integer.MAX_VALUE;
  }

  Station station() {
    return station;
  }

  /** Whether the link sends and receives nothing any more. */
  boolean isCut() {
    return isCut;
  }

  /** Address and groups that the link receives for; the caller holds the lock of the network. */
  Set<InetAddress> destinations() {
    return destinations;
  }

  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public boolean isWritable() {
    if (sentInTurn >= turnLimit) {
      return false;
    }
    if (envelopeRing.underWay() < IN_FLIGHT_LIMIT) {
      return true;
    }
    isStalled = true;
    // Arrivals since the first check may not have seen isStalled.
    return envelopeRing.underWay() < IN_FLIGHT_LIMIT;
  }

  @Override
  public boolean hasRoom() {
    return envelopeRing.underWay() < IN_FLIGHT_LIMIT;
  }

  @Override
  public ByteBuffer borrow() {
    ByteBuffer buffer = lendable.poll();
    return buffer == null ? ByteBuffer.allocate(BURST_BYTES) : buffer.clear();
  }

  void giveBack(ByteBuffer lent) {
    lendable.add(lent);
  }

  @Override
  public void send(Traffic traffic, @Nullable String note) {
    assert fabric.form() == Fabric.PacketForm.OBJECTS || !(traffic instanceof PacketEnvelope)
        : "this link is wire exact";
    Traffic ownTraffic = traffic instanceof DatagramBurst burst ? recycle(burst) : traffic;
    boolean isEmpty = ownTraffic instanceof DatagramBurst burst && !burst.bytes().hasRemaining();
    if (!isCut && !isEmpty) {
      sentInTurn++;
      envelopeRing.leave(ownTraffic instanceof PacketEnvelope envelope ? envelope : null);
      transmit(ownTraffic);
    }
  }

  private void transmit(Traffic traffic) {
    if (traffic instanceof Frame frame) {
      sendPending();
      fabric.transmit(frame, this);
    } else if (traffic instanceof IpTraffic ipTraffic) {
      gather(ipTraffic);
    }
  }

  private void gather(IpTraffic traffic) {
    if (pendingEvent != null && !pendingEvent.destination().equals(traffic.destination())) {
      sendPending();
    }
    if (pendingEvent == null) {
      DeliveryEvent event = deliveryRing.next();
      DeliveryEvent next = event == null ? new DeliveryEvent(fabric, this) : event;
      pendingEvent = next.to(traffic.destination());
    }
    pendingEvent.add(traffic);
    if (pendingEvent.size() == burstPackets) {
      sendPending();
    }
  }

  @Override
  public @Nullable PacketEnvelope pollRecycled() {
    return envelopeRing.next();
  }

  @Override
  public void ownPayloads() {
    envelopeRing.forEachUnderWay(InMemoryLink::ownPayload);
  }

  private static void ownPayload(PacketEnvelope envelope) {
    synchronized (envelope) {
      envelope.packet().ownPayload();
    }
  }

  /** {@inheritDoc} If the turn reached its limit, the thread of the network starts the next. */
  @Override
  public void endTurn() {
    sendPending();
    if (sentInTurn >= turnLimit) {
      fabric.callSoon(this::ringDoorbell);
    }
    sentInTurn = 0;
  }

  private void sendPending() {
    if (pendingEvent != null) {
      DeliveryEvent event = pendingEvent;
      pendingEvent = null;
      deliveryRing.leave(event);
      fabric.transmit(event);
    }
  }

  @Override
  public void join(InetAddress group) {
    fabric.join(group, this);
  }

  @Override
  public void leave(InetAddress group) {
    fabric.leave(group, this);
  }

  /** {@inheritDoc} The station sends within this call, on the calling thread. */
  @Override
  public void ringDoorbell() {
    if (!isCut) {
      station.transmit();
    }
  }

  @Override
  public boolean allowsInlineTransmit() {
    return !isCut;
  }

  @Override
  public void close() {
    disconnect();
    fabric.detach(this);
  }

  void disconnect() {
    isCut = true;
  }

  /** Whether all packets have arrived, so that their objects can be used again. */
  boolean isIdle() {
    return envelopeRing.underWay() == 0 && deliveryRing.underWay() == 0;
  }

  /** Takes back events that ran as one delivery, and their packets. */
  void arrived(int together, int packets) {
    deliveryRing.recycle(together);
    arrived(packets);
  }

  /** Counts packets of this sender that left; gives the sender a turn if it waits for room. */
  void arrived(int packets) {
    envelopeRing.recycle(packets);
    VarHandle.fullFence(); // The sender sets isStalled before it checks again.
    if (isStalled && envelopeRing.underWay() <= IN_FLIGHT_LIMIT / 2) {
      isStalled = false;
      ringDoorbell();
    }
  }

  /** Copies the datagram out of the lent buffer, which is far larger, and takes the buffer back. */
  private DatagramBurst recycle(DatagramBurst burst) {
    ByteBuffer lent = burst.bytes();
    assert lent.remaining() <= burst.segmentBytes() : "this link has maxSegments 1";
    ByteBuffer datagram = ByteBuffer.allocate(lent.remaining()).put(lent.duplicate()).flip();
    giveBack(lent);
    return new DatagramBurst(
        burst.source(), burst.sourcePort(), burst.destination(), datagram, burst.segmentBytes());
  }
}

package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One station's way into an {@link InMemoryFabric}. */
final class InMemoryLink implements Link {
  /** How much of one sender is on its way at most, so that memory has a limit. */
  static final int IN_FLIGHT_LIMIT = 4_096;

  private final InMemoryFabric fabric;
  private final Station station;
  private final int burstPackets;
  private final Queue<ByteBuffer> lendable = new ConcurrentLinkedQueue<>();

  /** What the station has sent in this turn to one destination, and has not left yet; or null. */
  private Transit gathered;

  /**
   * What was sent. Sent in a turn of the station, of which there is one at a time; counted
   * elsewhere only after {@link #isStalled} was read, which is written later.
   */
  private final RoundTrips<Delivery> deliveries = new RoundTrips<>(IN_FLIGHT_LIMIT);

  private final RoundTrips<Transit> transits = new RoundTrips<>(IN_FLIGHT_LIMIT);

  /** The station found the link full and waits for its turn. */
  private volatile boolean isStalled;

  private volatile boolean isCut;

  InMemoryLink(InMemoryFabric fabric, Station station) {
    this.fabric = fabric;
    this.station = station;
    burstPackets = fabric.options().burstPackets();
  }

  @Override
  public Form form() {
    return fabric.options().isWireExact() ? Form.ENCODED : Form.OBJECTS;
  }

  @Override
  public int mtuBytes() {
    return fabric.options().mtuBytes();
  }

  @Override
  public boolean reaches(InetAddress peer) {
    return peer.isMulticastAddress() || peer.equals(IpAddress.BROADCAST) || fabric.isAttached(peer);
  }

  @Override
  public int sourcePort() {
    return 0;
  }

  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public LostPackets lostPackets() {
    return fabric.lostPackets();
  }

  @Override
  public boolean isWritable() {
    if (deliveries.underWay() < IN_FLIGHT_LIMIT) {
      return true;
    }
    isStalled = true;
    // What arrived since the first look did not see the mark.
    return deliveries.underWay() < IN_FLIGHT_LIMIT;
  }

  @Override
  public ByteBuffer borrow() {
    ByteBuffer buffer = lendable.poll();
    return buffer == null ? ByteBuffer.allocate(BURST_BYTES) : buffer.clear();
  }

  @Override
  public void send(Traffic traffic) {
    assert form() == Form.OBJECTS || !(traffic instanceof Delivery) : "this link is wire exact";
    Traffic own = traffic instanceof Burst burst ? reclaim(burst) : traffic;
    boolean isEmpty = own instanceof Burst burst && !burst.bytes().hasRemaining();
    if (!isCut && !isEmpty) {
      deliveries.leave(own instanceof Delivery delivery ? delivery : null);
      carry(own);
    }
  }

  private void carry(Traffic traffic) {
    if (traffic instanceof Frame frame) {
      letGo();
      fabric.carry(new FrameTransit(fabric, frame, this));
    } else if (traffic instanceof RoutedTraffic routed) {
      gather(routed);
    }
  }

  private void gather(RoutedTraffic traffic) {
    if (gathered != null && !gathered.destination().equals(traffic.destination())) {
      letGo();
    }
    if (gathered == null) {
      Transit back = transits.next();
      Transit next = back == null ? new Transit(fabric, this) : back;
      gathered = next.to(traffic.destination());
    }
    gathered.add(traffic);
    if (gathered.size() == burstPackets) {
      letGo();
    }
  }

  @Override
  public Delivery returned() {
    return deliveries.next();
  }

  @Override
  public void ownPayloads() {
    deliveries.forEachUnderWay(InMemoryLink::ownPayload);
  }

  private static void ownPayload(Delivery delivery) {
    synchronized (delivery) {
      ((Packet) delivery.packet()).ownPayload();
    }
  }

  @Override
  public void endTurn() {
    letGo();
  }

  /** What was gathered leaves. */
  private void letGo() {
    if (gathered != null) {
      Transit full = gathered;
      gathered = null;
      transits.leave(full);
      fabric.carry(full);
    }
  }

  @Override
  public boolean hasSegment() {
    return true;
  }

  @Override
  public void joinSegment() {
    fabric.joinSegment(this);
  }

  @Override
  public void join(InetAddress group) {
    fabric.join(group, this);
  }

  @Override
  public void leave(InetAddress group) {
    fabric.leave(group, this);
  }

  @Override
  public void ring() {
    if (!isCut) {
      station.transmit();
    }
  }

  @Override
  public boolean needsNoRing() {
    return !isCut;
  }

  @Override
  public void close() {
    cut();
    fabric.detach(this);
  }

  /** Sends and receives nothing from now on. */
  void cut() {
    isCut = true;
  }

  /** Whether all that was sent has arrived, and can be used again. */
  boolean isIdle() {
    return deliveries.underWay() == 0 && transits.underWay() == 0;
  }

  /** What this sender sent together has arrived. */
  void arrived(int together, int packets) {
    transits.giveBack(together);
    arrived(packets);
  }

  /** Packets of this sender left the network: if it waits for its turn, there may be room again. */
  void arrived(int packets) {
    deliveries.giveBack(packets);
    VarHandle.fullFence(); // The sender marks itself before it looks again.
    if (isStalled && deliveries.underWay() <= IN_FLIGHT_LIMIT / 2) {
      isStalled = false;
      ring();
    }
  }

  void receive(List<Traffic> traffic) {
    if (!isCut) {
      station.receive(traffic);
    }
  }

  /** Copies the datagram out of the lent buffer, which is far larger, and takes the buffer back. */
  private Burst reclaim(Burst burst) {
    ByteBuffer lent = burst.bytes();
    assert lent.remaining() <= burst.segmentBytes() : "this link has maxSegments 1";
    ByteBuffer datagram = ByteBuffer.allocate(lent.remaining()).put(lent.duplicate()).flip();
    lendable.add(lent);
    return new Burst(
        burst.source(), burst.sourcePort(), burst.destination(), datagram, burst.segmentBytes());
  }
}

package io.queuepair.emulator.fabric;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** One station's way into an {@link InMemoryFabric}. */
final class InMemoryLink implements Link {
  /** How much of one sender is on its way at most, so that memory has a limit. */
  static final int IN_FLIGHT_LIMIT = 4_096;

  /** Needs no answer to be resolved. */
  private static final InetAddress BROADCAST = new Gid(0, 0xffff_ffff_ffffL).toAddress();

  private final InMemoryFabric fabric;
  private final Station station;
  private final int burstPackets;
  private final Queue<ByteBuffer> lendable = new ConcurrentLinkedQueue<>();

  /** What the station has sent in this turn to one destination, and has not left yet. */
  private List<Traffic> gathered = List.of();

  private InetAddress gatheredFor;

  /** Packets of the burst before, as the next one mostly is as large. */
  private int lastBurst = 1;

  /**
   * Packets that were sent. Written in a turn of the station, of which there is one at a time; read
   * elsewhere only after {@link #isStalled} was, which is written later.
   */
  private long sent;

  /** Packets that have left the network again. */
  private final AtomicLong arrived = new AtomicLong();

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
    return peer.isMulticastAddress() || peer.equals(BROADCAST) || fabric.isAttached(peer);
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
  public boolean isWritable() {
    if (sent - arrived.get() < IN_FLIGHT_LIMIT) {
      return true;
    }
    isStalled = true;
    // What arrived since the first look did not see the mark.
    return sent - arrived.get() < IN_FLIGHT_LIMIT;
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
      sent++;
      carry(own);
    }
  }

  private void carry(Traffic traffic) {
    if (traffic instanceof Frame frame) {
      letGo();
      fabric.carry(frame, this);
    } else if (traffic instanceof RoutedTraffic routed) {
      if (burstPackets == 1) {
        fabric.carry(List.of(routed), routed.destination(), this);
      } else {
        gather(routed);
      }
    }
  }

  private void gather(RoutedTraffic traffic) {
    if (gathered.size() == burstPackets || !traffic.destination().equals(gatheredFor)) {
      letGo();
    }
    if (gathered.isEmpty()) {
      gathered = new ArrayList<>(lastBurst);
      gatheredFor = traffic.destination();
    }
    gathered.add(traffic);
  }

  @Override
  public void endTurn() {
    letGo();
  }

  /** What was gathered leaves. */
  private void letGo() {
    if (!gathered.isEmpty()) {
      List<Traffic> together = gathered;
      lastBurst = together.size();
      gathered = List.of();
      fabric.carry(together, gatheredFor, this);
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

  /** Packets of this sender left the network. */
  void arrived(int packets) {
    arrived.addAndGet(packets);
  }

  /** Gives the station its turn, if it waits for one and there is room again. */
  void resume() {
    if (isStalled && sent - arrived.get() <= IN_FLIGHT_LIMIT / 2) {
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

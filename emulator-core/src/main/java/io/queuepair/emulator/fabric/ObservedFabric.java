package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shows the traffic of another fabric to a {@link PacketObserver}: what a station sends, when it
 * sends it; what comes from an address that is not attached here, when it arrives.
 */
final class ObservedFabric extends ForwardingFabric {
  /** What an operating system gives a packet that says nothing of hops. */
  private static final int USUAL_HOP_LIMIT = 64;

  private final PacketObserver observer;

  /** Addresses attached here; replaced, never changed, so that it is read without a lock. */
  private volatile Set<InetAddress> attached = Set.of();

  /**
   * Turns of stations that are going on. Counted for the network and not for each link, because in
   * its turn a station sends on all of its links, and holds its lock.
   */
  private final AtomicInteger turns = new AtomicInteger();

  ObservedFabric(Fabric fabric, PacketObserver observer) {
    super(fabric);
    this.observer = observer;
  }

  @Override
  public synchronized Link attach(InetAddress address, Station station) {
    Link link = super.attach(address, new ObservedStation(this, station));
    Set<InetAddress> more = new LinkedHashSet<>(attached);
    more.add(address);
    attached = more;
    return new ObservedLink(this, address, link);
  }

  synchronized void detached(InetAddress address) {
    Set<InetAddress> fewer = new LinkedHashSet<>(attached);
    fewer.remove(address);
    attached = fewer;
  }

  @Override
  public void close() {
    super.close();
    observer.close();
  }

  void flush() {
    observer.flush();
  }

  void beginTurn() {
    turns.incrementAndGet();
  }

  void endTurn() {
    turns.decrementAndGet();
    observer.flush();
  }

  /** A decorator around this one may hold traffic back and send it when no station has its turn. */
  void flushOutOfTurn() {
    if (turns.get() == 0) {
      observer.flush();
    }
  }

  /**
   * Traffic leaves, or does not.
   *
   * @param fault what was done to it on purpose, or null
   */
  void sent(Traffic traffic, String fault) {
    report(traffic, true, fault);
  }

  void remark(InetAddress host, String note) {
    observer.remark(scheduler().nowNanos(), host, note);
  }

  void dropped(InetAddress host, RoutedTraffic traffic, int at, String why) {
    long nowNanos = scheduler().nowNanos();
    if (traffic instanceof Burst burst) {
      int length = Math.min(burst.segmentBytes(), burst.bytes().limit() - at);
      Payload datagram = new Payload(burst.bytes(), at, length);
      observer.dropped(nowNanos, host, routeOf(burst), datagram, why);
    } else if (traffic instanceof Delivery delivery && delivery.packet() instanceof Packet packet) {
      observer.dropped(nowNanos, host, packet, why);
    }
  }

  /** What was sent from here has been seen already. */
  void received(Traffic traffic) {
    if (!attached.contains(traffic.source())) {
      report(traffic, false, null);
    }
  }

  private void report(Traffic traffic, boolean isSent, String fault) {
    if (traffic instanceof Burst burst) {
      reportDatagrams(burst, isSent, fault);
    } else if (traffic instanceof Delivery delivery && delivery.packet() instanceof Packet packet) {
      observer.packet(scheduler().nowNanos(), packet, fault);
    } else if (traffic instanceof Frame frame) {
      ByteBuffer bytes = frame.bytes();
      Payload payload = new Payload(bytes, bytes.position(), bytes.remaining());
      observer.frame(scheduler().nowNanos(), new RawFrame(payload), fault);
    }
  }

  private void reportDatagrams(Burst burst, boolean isSent, String fault) {
    long nowNanos = scheduler().nowNanos();
    Route route = routeOf(burst);
    ByteBuffer bytes = burst.bytes();
    Comment comment = new Comment(burst.note(), fault);
    int segment = 0;
    for (int at = bytes.position(); at < bytes.limit(); at += burst.segmentBytes()) {
      int length = Math.min(burst.segmentBytes(), bytes.limit() - at);
      int identification = isSent ? segment : PacketObserver.UNKNOWN_IDENTIFICATION;
      Payload datagram = new Payload(bytes, at, length);
      observer.datagram(nowNanos, route, identification, datagram, comment);
      segment++;
    }
  }

  private static Route routeOf(Burst burst) {
    return new Route(
        burst.source(), burst.destination(), burst.sourcePort(), 0, USUAL_HOP_LIMIT, 0);
  }
}

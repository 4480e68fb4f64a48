// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.observe.PacketObserver.ObservedPacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reports the traffic of another fabric to a {@link PacketObserver}: packets of attached stations
 * when they are sent, packets from other addresses when they arrive.
 */
final class ObservedFabric extends ForwardingFabric {
  /** Default hop limit of operating systems. */
  private static final int USUAL_HOP_LIMIT = 64;

  private final PacketObserver observer;

  /** Attached addresses. The set is replaced, never changed: readers need no lock. */
  private volatile Set<InetAddress> attached = Set.of();

  /**
   * Number of stations in their turn. Counted for the network instead of each link, because in its
   * turn a station sends on all of its links, and holds its lock.
   */
  private final AtomicInteger turns = new AtomicInteger();

  /** Calls in progress that hand traffic to stations; guarded by itself. */
  private final List<Arrival> arrivals = new ArrayList<>();

  public ObservedFabric(Fabric fabric, PacketObserver observer) {
    super(fabric);
    this.observer = observer;
  }

  @Override
  public synchronized Link attach(InetAddress address, Station station) {
    Link link = super.attach(address, new ObservedStation(this, address, station));
    Set<InetAddress> more = new LinkedHashSet<>(attached);
    more.add(address);
    attached = more;
    return new ObservedLink(this, address, link);
  }

  void detached(InetAddress address) {
    synchronized (this) {
      Set<InetAddress> fewer = new LinkedHashSet<>(attached);
      fewer.remove(address);
      attached = fewer;
    }
    observer.detached(address);
    flush();
  }

  @Override
  public void close() {
    super.close();
    observer.close();
  }

  void flush() {
    observer.flush(scheduler().nowNanos());
  }

  void beginTurn() {
    turns.incrementAndGet();
  }

  void endTurn() {
    turns.decrementAndGet();
    flush();
  }

  /** Flushes if no station has its turn: a decorator may send delayed traffic then. */
  void flushOutOfTurn() {
    if (turns.get() == 0) {
      flush();
    }
  }

  /**
   * Reports traffic that leaves a port.
   *
   * @param fault the injected fault, or null
   */
  public void sent(InetAddress port, Traffic traffic, @Nullable String fault) {
    boolean arrivesHere =
        traffic instanceof IpTraffic ipTraffic && attached.contains(ipTraffic.destination());
    report(new ObservedPacket(scheduler().nowNanos(), port, false, arrivesHere), traffic, fault);
  }

  /** Reports traffic that is lost at a port. */
  void lost(InetAddress port, Traffic traffic, String fault) {
    boolean isInbound = !traffic.source().equals(port);
    report(new ObservedPacket(scheduler().nowNanos(), port, isInbound, false), traffic, fault);
  }

  void annotate(InetAddress host, String note) {
    observer.annotate(scheduler().nowNanos(), host, note);
  }

  /** Reports traffic that is handed to a station, unless it was reported when it was sent. */
  Arrival arriving(InetAddress host, List<? extends Traffic> traffic) {
    Arrival arrival = new Arrival(host, traffic);
    ObservedPacket observed = new ObservedPacket(scheduler().nowNanos(), host, true, true);
    for (Traffic each : traffic) {
      if (!attached.contains(each.source())) {
        report(observed, each, null);
      }
    }
    return begun(arrival);
  }

  @Override
  public void handOver(
      InetAddress host, Station station, List<? extends Traffic> traffic, @Nullable String note) {
    ObservedPacket observed = new ObservedPacket(scheduler().nowNanos(), host, true, true);
    traffic.forEach(each -> report(observed, each, note));
    Arrival arrival = begun(new Arrival(host, traffic));
    try {
      super.handOver(host, station, traffic, note);
    } finally {
      arrived(arrival);
    }
  }

  private Arrival begun(Arrival arrival) {
    synchronized (arrivals) {
      arrivals.add(arrival);
    }
    flush();
    return arrival;
  }

  /** Records that a station dropped a packet; reports that at once if its arrival is over. */
  void dropped(InetAddress host, IpTraffic traffic, int at, String why) {
    synchronized (arrivals) {
      for (Arrival arrival : arrivals) {
        if (arrival.holds(traffic)) {
          arrival.drop(traffic, at, why);
          return;
        }
      }
    }
    tellArrived(host, traffic, at, why);
  }

  /** Reports what became of each packet of an arrival, once the station has handled all of them. */
  void arrived(Arrival arrival) {
    synchronized (arrivals) {
      arrivals.remove(arrival);
    }
    for (Traffic each : arrival.traffic()) {
      if (each instanceof DatagramBurst burst) {
        for (int at = begin(burst); at < burst.bytes().limit(); at += burst.segmentBytes()) {
          tellArrived(arrival.host(), burst, at, arrival.whyDropped(burst, at));
        }
      } else if (each instanceof PacketEnvelope envelope) {
        tellArrived(arrival.host(), envelope, 0, arrival.whyDropped(envelope, 0));
      }
    }
    flush();
  }

  private static int begin(DatagramBurst burst) {
    return burst.bytes().position();
  }

  private void tellArrived(InetAddress host, IpTraffic traffic, int at, @Nullable String dropped) {
    if (traffic instanceof DatagramBurst burst) {
      observer.arrived(host, PacketKey.of(routeOf(burst), datagramAt(burst, at)), dropped);
    } else if (traffic instanceof PacketEnvelope envelope) {
      observer.arrived(host, PacketKey.of(envelope.packet()), dropped);
    }
  }

  private void report(ObservedPacket observed, Traffic traffic, @Nullable String fault) {
    if (traffic instanceof DatagramBurst burst) {
      reportDatagrams(observed, burst, fault);
    } else if (traffic instanceof PacketEnvelope envelope) {
      observer.packet(observed, envelope.packet(), fault);
    } else if (traffic instanceof Frame frame) {
      ByteBuffer bytes = frame.bytes();
      Payload payload = new Payload(bytes, bytes.position(), bytes.remaining());
      ObservedPacket decided =
          new ObservedPacket(observed.nowNanos(), observed.port(), observed.isInbound(), false);
      observer.frame(decided, new RawFrame(payload), fault);
    }
  }

  private void reportDatagrams(
      ObservedPacket observed, DatagramBurst burst, @Nullable String fault) {
    Route route = routeOf(burst);
    PacketComment comment = new PacketComment(burst.note(), fault);
    int segment = 0;
    for (int at = begin(burst); at < burst.bytes().limit(); at += burst.segmentBytes()) {
      int identification = observed.isInbound() ? PacketObserver.UNKNOWN_IDENTIFICATION : segment;
      observer.datagram(observed, route, identification, datagramAt(burst, at), comment);
      segment++;
    }
  }

  private static Payload datagramAt(DatagramBurst burst, int at) {
    int length = Math.min(burst.segmentBytes(), burst.bytes().limit() - at);
    return new Payload(burst.bytes(), at, length);
  }

  private static Route routeOf(DatagramBurst burst) {
    return new Route(
        burst.source(), burst.destination(), burst.sourcePort(), 0, USUAL_HOP_LIMIT, 0);
  }
}

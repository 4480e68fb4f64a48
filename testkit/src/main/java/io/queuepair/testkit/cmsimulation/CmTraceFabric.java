// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.cmsimulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import io.queuepair.emulator.wire.cm.CmDreq;
import io.queuepair.emulator.wire.cm.CmMad;
import io.queuepair.testkit.shard.TraceHash;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** A fabric that hashes what is sent, and knows which queue pairs were asked to disconnect. */
final class CmTraceFabric extends ForwardingFabric {
  private static final int GSI_QPN = 1;

  private final PacketCodec codec = new PacketCodec();
  private final TraceHash trace;
  private final Set<Disconnected> disconnected = new LinkedHashSet<>();

  CmTraceFabric(Fabric fabric, TraceHash trace) {
    super(fabric);
    this.trace = trace;
  }

  /** A queue pair for which a DREQ has arrived. */
  private record Disconnected(InetAddress host, int qpn) {}

  /** Whether a host was asked to disconnect a queue pair. */
  boolean hasReceivedDreq(InetAddress host, int qpn) {
    return disconnected.contains(new Disconnected(host, qpn));
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return new ForwardingLink(super.attach(address, new WatchedStation(station))) {
      @Override
      public void send(Traffic traffic) {
        trace.packet(scheduler().nowNanos(), ((DatagramBurst) traffic).bytes());
        super.send(traffic);
      }
    };
  }

  private void arrived(DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes();
    Route route = new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, 64, 0);
    if (codec.decode(route, bytes, bytes.position(), bytes.remaining()) instanceof Packet packet
        && packet.destQpn() == GSI_QPN
        && CmMad.decode(packet.payload()) instanceof CmMad mad
        && mad.message() instanceof CmDreq dreq) {
      disconnected.add(new Disconnected(burst.destination(), dreq.remoteQpn()));
    }
  }

  /** A station whose arrivals are looked at. */
  private final class WatchedStation implements Station {
    private final Station station;

    private WatchedStation(Station station) {
      this.station = station;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      traffic.forEach(one -> arrived((DatagramBurst) one));
      station.receive(traffic);
    }

    @Override
    public void transmit() {
      station.transmit();
    }

    @Override
    public OptionalInt requesterOf(InetAddress responder, int destQpn) {
      return station.requesterOf(responder, destQpn);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmaHeader;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import io.queuepair.lab.shard.TraceHash;
import io.queuepair.lab.simulation.Violation;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A fabric that hashes what is sent, knows which queue pairs were asked to disconnect, and judges
 * the messages of the connection manager.
 */
final class CmTraceFabric extends ForwardingFabric {
  private static final int GSI_QPN = 1;

  private final PacketCodec codec = new PacketCodec();
  private final TraceHash trace;
  private final Set<Disconnected> disconnected = new LinkedHashSet<>();
  private final CmRetransmissions retransmissions = new CmRetransmissions();
  private final CmAnswersOwed answersOwed = new CmAnswersOwed();

  /** What the active side of each connection calls its end, by the number in its private data. */
  private final Map<Integer, Integer> requests = new LinkedHashMap<>();

  /** The first rule that was broken: {@link #verify} throws it, outside of the devices. */
  private Violation broken;

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

  /** What the active side of a connection that was asked for calls its end. */
  int commIdOf(int connection) {
    return requests.get(connection);
  }

  CmRetransmissions retransmissions() {
    return retransmissions;
  }

  /** All rules have been kept so far. */
  void verify() {
    if (broken != null) {
      throw broken;
    }
    answersOwed.verify(scheduler().nowNanos());
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return new ForwardingLink(super.attach(address, new WatchedStation(station))) {
      @Override
      public void send(Traffic traffic, String note) {
        DatagramBurst burst = (DatagramBurst) traffic;
        trace.packet(scheduler().nowNanos(), burst.bytes());
        CmMessage message = messageIn(burst);
        if (message != null) {
          judge(() -> sent(burst, message));
        }
        super.send(traffic, note);
      }
    };
  }

  private void judge(Runnable rules) {
    try {
      rules.run();
    } catch (Violation violation) {
      broken = broken == null ? violation : broken;
    }
  }

  private void sent(DatagramBurst burst, CmMessage message) {
    if (message.kind() == CmKind.REQ || message.kind() == CmKind.SIDR_REQ) {
      requests.put(numberIn(message.privateData()), message.localCommId());
    }
    answersOwed.sent(burst.source(), message);
    retransmissions.sent(burst.source(), burst.destination(), message, scheduler().nowNanos());
  }

  private static int numberIn(ImmutableBytes privateData) {
    return CmaHeader.userBytes(privateData).toArray()[0];
  }

  private void arrived(DatagramBurst burst) {
    CmMessage message = messageIn(burst);
    if (message == null) {
      return;
    }
    if (message.kind() == CmKind.DREQ) {
      int qpn = message.getInt(CmField.DREQ_REMOTE_QPN);
      disconnected.add(new Disconnected(burst.destination(), qpn));
    }
    answersOwed.arrived(burst.destination(), message, scheduler().nowNanos());
    retransmissions.arrived(burst.destination(), message, scheduler().nowNanos());
  }

  /** The message of the connection manager in a datagram; null if it has none. */
  private CmMessage messageIn(DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes();
    Route route = new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, 64, 0);
    return codec.decode(route, bytes, bytes.position(), bytes.remaining()) instanceof Packet packet
            && packet.destQpn() == GSI_QPN
            && CmMessage.decode(packet.payload()) instanceof CmMessage message
        ? message
        : null;
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

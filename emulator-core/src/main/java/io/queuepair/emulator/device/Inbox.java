package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Delivery;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.RoutedTraffic;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Decoded;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.HwCounter;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Turns traffic into packets and frames for the engine; what is neither is counted and dropped. */
final class Inbox {
  private static final int UNKNOWN_HOP_LIMIT = 64;

  private final Hca hca;
  private final Engine engine;
  private final EthernetPorts ethernet;
  private final PacketCodec codec;
  private final Outboxes outboxes;

  /** Addresses of the last burst: the next one mostly comes from the same peer. */
  private Route lastRoute;

  Inbox(Hca hca, EthernetPorts ethernet, PacketCodec codec, Outboxes outboxes) {
    this.hca = hca;
    engine = hca.engine();
    this.ethernet = ethernet;
    this.codec = codec;
    this.outboxes = outboxes;
  }

  /** Takes what arrived at a port. */
  void receive(Traffic traffic, int portNum, long nowNanos) {
    if (traffic instanceof Burst burst) {
      receive(burst, portNum, nowNanos);
    } else if (traffic instanceof Delivery delivery) {
      synchronized (delivery) { // Its sender may be about to copy the payload.
        Packet packet = (Packet) delivery.packet();
        ethernet.pass(packet, portNum);
        tell(delivery, 0, receive(packet, nowNanos), packet.destQpn());
      }
    } else if (traffic instanceof Frame frame) {
      receive(frame, portNum);
    }
  }

  private void receive(Frame frame, int portNum) {
    ByteBuffer bytes = frame.bytes();
    if (bytes.remaining() < Ethernet.HEADER_BYTES) {
      engine.drops().count(DropReason.TOO_SHORT);
    } else if (hca.ports().isUp(portNum)) {
      Payload whole = new Payload(bytes, bytes.position(), bytes.remaining());
      ethernet.receive(new RawFrame(whole), portNum);
    } else {
      engine.drops().count(DropReason.PORT_DOWN);
    }
  }

  /** Why nobody took the packet, or null. */
  private DropReason receive(Packet packet, long nowNanos) {
    InetAddress destination = packet.route().destination();
    int portNum = hca.ports().numberOf(destination);
    if (hca.ports().isUpOrNone(portNum)) {
      engine.counters().count(portNum, HwCounter.RCVD_PKTS);
      return engine.receive(packet, portNum, nowNanos);
    }
    return counted(DropReason.PORT_DOWN);
  }

  private DropReason counted(DropReason reason) {
    engine.drops().count(reason);
    return reason;
  }

  /** Captures show why a packet was dropped, and its sender may ask for it. */
  private void tell(RoutedTraffic traffic, int at, DropReason dropped, int destQpn) {
    if (dropped != null) {
      String why = engine.textOf(dropped, destQpn);
      Link link = outboxes.first().link();
      link.dropped(traffic, at, why);
      String by = "dropped by " + traffic.destination().getHostAddress() + ": ";
      link.lostPackets().add(traffic, at, by + why);
    }
  }

  private void receive(Burst burst, int portNum, long nowNanos) {
    Route route = routeOf(burst);
    int end = burst.bytes().limit();
    int at = burst.bytes().position();
    while (at < end) {
      int bytes = Math.min(burst.segmentBytes(), end - at);
      if (ethernet.isWatched(portNum)) {
        ethernet.pass(route, new Payload(burst.bytes(), at, bytes), portNum);
      }
      Decoded decoded = codec.decodeNext(route, burst.bytes(), at, bytes);
      if (decoded instanceof Packet packet) {
        tell(burst, at, receive(packet, nowNanos), packet.destQpn());
      } else {
        tell(burst, at, counted((DropReason) decoded), 0);
      }
      at += bytes;
    }
  }

  private Route routeOf(Burst burst) {
    if (lastRoute == null
        || lastRoute.sourcePort() != burst.sourcePort()
        || !lastRoute.source().equals(burst.source())
        || !lastRoute.destination().equals(burst.destination())) {
      lastRoute =
          new Route(
              burst.source(), burst.destination(), burst.sourcePort(), 0, UNKNOWN_HOP_LIMIT, 0);
    }
    return lastRoute;
  }
}

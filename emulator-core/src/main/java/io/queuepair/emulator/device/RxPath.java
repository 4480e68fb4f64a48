// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.wire.DecodeResult;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.MacAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes traffic into packets and frames for the engine. The rest is dropped and counted. Frames
 * and packets are also passed to sniffers of their port.
 */
final class RxPath {
  private static final int UNKNOWN_HOP_LIMIT = 64;

  private final Hca hca;
  private final Engine engine;
  private final PacketCodec codec;
  private final TxPaths txPaths;
  private final LostPackets lostPackets;

  /** Route of the last burst: the next one mostly has the same. */
  private @Nullable Route lastRoute;

  /** Reason of the last drop; the two fields below are of that packet, too. */
  private @Nullable String lastWhy;

  private @Nullable InetAddress lastDropper;
  private @Nullable String lastFate;

  RxPath(Hca hca, PacketCodec codec, TxPaths txPaths, LostPackets lostPackets) {
    this.hca = hca;
    engine = hca.engine();
    this.codec = codec;
    this.txPaths = txPaths;
    this.lostPackets = lostPackets;
  }

  /** Decodes what arrived at a port, and dispatches each packet or frame. */
  void decode(Traffic traffic, int portNum, long nowNanos) {
    if (traffic instanceof DatagramBurst burst) {
      decodeBurst(burst, portNum, nowNanos);
    } else if (traffic instanceof PacketEnvelope envelope) {
      synchronized (envelope) { // The sender may be about to copy the payload.
        Packet packet = envelope.packet();
        sniff(packet, portNum);
        dispatch(packet, envelope, 0, nowNanos);
      }
    } else if (traffic instanceof Frame frame) {
      decodeFrame(frame, portNum);
    }
  }

  private void decodeFrame(Frame frame, int portNum) {
    ByteBuffer bytes = frame.bytes();
    if (bytes.remaining() < Ethernet.HEADER_BYTES) {
      engine.drops().count(DropReason.TOO_SHORT);
    } else if (hca.ports().isUp(portNum)) {
      Payload payload = new Payload(bytes, bytes.position(), bytes.remaining());
      RawFrame raw = new RawFrame(payload);
      MacAddress destinationMac = raw.destination();
      MacAddress ownMac = hca.ports().at(portNum).mac();
      engine.dispatch(raw, portNum, destinationMac.isMulticast() || destinationMac.equals(ownMac));
    } else {
      engine.drops().count(DropReason.PORT_DOWN);
    }
  }

  /** Encodes a RoCE packet for the sniffers of a port that it passes as an object. */
  void sniff(Packet packet, int portNum) {
    if (engine.flows().hasSniffer(portNum)) {
      ByteBuffer datagram = ByteBuffer.allocate(PacketCodec.encodedBytes(packet));
      int length = codec.encode(packet, 0, datagram, 0);
      sniff(packet.route(), new Payload(datagram, 0, length), portNum);
    }
  }

  private void sniff(Route route, Payload payload, int portNum) {
    int bytes = EthernetFrame.headerBytes(route) + payload.length();
    ByteBuffer frame = ByteBuffer.allocate(bytes);
    EthernetFrame.write(route, 0, payload, frame, 0);
    engine.sniff(new RawFrame(new Payload(frame, 0, bytes)), portNum);
  }

  /**
   * Dispatches a packet, if the port of its destination is up; notes in captures if it was dropped.
   *
   * @param at offset of the packet in the bytes of a burst; 0 in an envelope
   */
  private void dispatch(Packet packet, IpTraffic traffic, int at, long nowNanos) {
    int portNum = hca.ports().numberOf(packet.route().destination());
    DropReason dropped;
    if (hca.ports().isUpOrNone(portNum)) {
      engine.statistics().received(portNum, packet);
      dropped = engine.dispatch(packet, portNum, nowNanos);
    } else {
      engine.explainDrop(DropReason.PORT_DOWN, packet);
      dropped = counted(DropReason.PORT_DOWN);
    }
    if (dropped != null) {
      annotateDropped(traffic, at, engine.textOf(dropped, packet));
    }
  }

  private DropReason counted(DropReason reason) {
    engine.drops().count(reason);
    return reason;
  }

  /** Records why a packet was dropped: in captures, and for its sender. */
  private void annotateDropped(IpTraffic traffic, int at, String why) {
    txPaths.first().link().annotate(Link.NoteSubject.UNUSED, traffic, at, why);
    lostPackets.add(traffic, at, fate(traffic.destination(), why));
  }

  /**
   * Text for the sender of a dropped packet. It is cached, as it is mostly that of the packet
   * before, and a receiver that drops many has no time to lose.
   */
  private @Nullable String fate(InetAddress destination, String why) {
    if (!why.equals(lastWhy) || !destination.equals(lastDropper)) {
      lastWhy = why;
      lastDropper = destination;
      lastFate = "dropped by " + destination.getHostAddress() + ": " + why;
    }
    return lastFate;
  }

  private void decodeBurst(DatagramBurst burst, int portNum, long nowNanos) {
    Route route = routeOf(burst);
    int end = burst.bytes().limit();
    int at = burst.bytes().position();
    while (at < end) {
      int bytes = Math.min(burst.segmentBytes(), end - at);
      if (engine.flows().hasSniffer(portNum)) {
        sniff(route, new Payload(burst.bytes(), at, bytes), portNum);
      }
      DecodeResult decoded = codec.decodeNext(route, burst.bytes(), at, bytes);
      if (decoded instanceof Packet packet) {
        dispatch(packet, burst, at, nowNanos);
      } else {
        String why = counted((DropReason) decoded).text();
        explainMalformed(route, bytes, why);
        annotateDropped(burst, at, why);
      }
      at += bytes;
    }
  }

  private void explainMalformed(Route route, int bytes, String why) {
    if (engine.explanations().areWanted()) {
      String destination = route.destination().getHostAddress();
      String source = route.source().getHostAddress();
      engine
          .explanations()
          .add(destination + " dropped " + bytes + " bytes from " + source + ": " + why);
    }
  }

  private Route routeOf(DatagramBurst burst) {
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

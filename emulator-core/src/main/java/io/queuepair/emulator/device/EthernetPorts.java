package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.wire.EthernetFrame;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.MacAddress;
import java.nio.ByteBuffer;

/** Ports on an Ethernet segment: which frames are their own, and what sniffers see of RoCE. */
final class EthernetPorts {
  private final Ports ports;
  private final Engine engine;
  private final PacketCodec codec;

  EthernetPorts(Ports ports, Engine engine, PacketCodec codec) {
    this.ports = ports;
    this.engine = engine;
    this.codec = codec;
  }

  /** A frame arrived at a port that is up. */
  void receive(RawFrame frame, int portNum) {
    MacAddress destination = frame.destination();
    boolean isOurs = destination.isMulticast() || destination.equals(ports.at(portNum).mac());
    engine.receive(frame, portNum, isOurs);
  }

  /** A RoCE packet that was not encoded passes a port. */
  void pass(Packet packet, int portNum) {
    if (isWatched(portNum)) {
      ByteBuffer datagram = ByteBuffer.allocate(PacketCodec.encodedBytes(packet));
      int length = codec.encode(packet, 0, datagram, 0);
      pass(packet.route(), new Payload(datagram, 0, length), portNum);
    }
  }

  /** Whether anybody looks at what passes a port. */
  boolean isWatched(int portNum) {
    return engine.flows().hasSniffer(portNum);
  }

  /** A RoCE packet passes a port. */
  void pass(Route route, Payload datagram, int portNum) {
    if (isWatched(portNum)) {
      int bytes = EthernetFrame.headerBytes(route) + datagram.length();
      ByteBuffer frame = ByteBuffer.allocate(bytes);
      EthernetFrame.write(route, 0, datagram, frame, 0);
      engine.sniff(new RawFrame(new Payload(frame, 0, bytes)), portNum);
    }
  }
}

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

/** A device on an Ethernet segment: which frames are its own, and what its sniffers see of RoCE. */
final class EthernetPort {
  private final MacAddress mac;
  private final Engine engine;
  private final PacketCodec codec;

  EthernetPort(MacAddress mac, Engine engine, PacketCodec codec) {
    this.mac = mac;
    this.engine = engine;
    this.codec = codec;
  }

  void receive(RawFrame frame) {
    MacAddress destination = frame.destination();
    engine.receive(frame, destination.isMulticast() || destination.equals(mac));
  }

  /** A RoCE packet passes that was not encoded. */
  void pass(Packet packet) {
    if (isWatched()) {
      ByteBuffer datagram = ByteBuffer.allocate(PacketCodec.encodedBytes(packet));
      int length = codec.encode(packet, 0, datagram, 0);
      pass(packet.route(), new Payload(datagram, 0, length));
    }
  }

  /** Whether anybody looks at what passes. */
  boolean isWatched() {
    return engine.flows().hasSniffer();
  }

  /** A RoCE packet passes. */
  void pass(Route route, Payload datagram) {
    if (isWatched()) {
      int bytes = EthernetFrame.headerBytes(route) + datagram.length();
      ByteBuffer frame = ByteBuffer.allocate(bytes);
      EthernetFrame.write(route, 0, datagram, frame, 0);
      engine.sniff(new RawFrame(new Payload(frame, 0, bytes)));
    }
  }
}

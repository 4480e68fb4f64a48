// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The packets for queue pair 1 of recorded conversations. */
final class RecordedMads {
  private static final int GSI_QPN = 1;

  private RecordedMads() {}

  static List<Packet> packets(String capture) {
    return packets(Pcapng.frames("/pcap/" + capture + ".pcapng"));
  }

  static List<Packet> packets(List<ByteBuffer> frames) {
    return frames.stream()
        .map(frame -> EthernetFrame.parse(frame, 0, frame.capacity()))
        .flatMap(Optional::stream)
        .map(RecordedMads::packet)
        .filter(packet -> packet.destQpn() == GSI_QPN)
        .map(Packet::copy)
        .toList();
  }

  private static Packet packet(EthernetFrame frame) {
    Payload datagram = frame.udpPayload();
    return (Packet)
        new PacketCodec()
            .decode(frame.route(), datagram.buffer(), datagram.offset(), datagram.length());
  }
}

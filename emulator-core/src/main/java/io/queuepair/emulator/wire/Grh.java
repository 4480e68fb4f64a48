package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * The forty bytes at the start of every UD receive buffer. RoCEv2 has no GRH, so they hold the IP
 * header: IPv6 fills them, IPv4 the last twenty, after zeros, with a valid checksum by which {@code
 * ibv_init_ah_from_wc} recognizes it (Linux {@code rxe_net.c}; rdma-core {@code verbs.c}).
 */
public final class Grh {
  public static final int BYTES = 40;

  private Grh() {}

  /** The GRH of a received packet. The IPv4 identification is 0: a socket does not show it. */
  public static Payload of(Packet packet) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    int udpBytes = RoceV2.UDP_HEADER_BYTES + PacketCodec.encodedBytes(packet);
    int at = BYTES - IpHeader.bytes(packet.route());
    IpHeader.write(packet.route(), 0, udpBytes, bytes, at);
    return new Payload(bytes, 0, BYTES);
  }
}

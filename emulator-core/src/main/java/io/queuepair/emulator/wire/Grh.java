// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The 40 bytes at the start of every UD receive buffer. RoCEv2 has no GRH, so they hold the IP
 * header: an IPv6 header fills them; an IPv4 header takes the last twenty, after zeros, with a
 * valid checksum by which {@code ibv_init_ah_from_wc} recognizes it (Linux {@code rxe_net.c};
 * rdma-core {@code verbs.c}).
 */
public final class Grh {
  public static final int BYTES = 40;

  private Grh() {}

  /** GRH of a received packet. The IPv4 identification is 0, as a socket does not show it. */
  public static Payload of(Packet packet) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    int udpBytes = RoceV2.UDP_HEADER_BYTES + PacketCodec.encodedBytes(packet);
    int at = BYTES - IpHeader.bytes(packet.route());
    IpHeader.write(packet.route(), 0, udpBytes, bytes, at);
    return new Payload(bytes, 0, BYTES);
  }

  /**
   * Route in a GRH that starts at the position of the buffer; null if there is none. If the last
   * twenty bytes are a correct IPv4 header it is IPv4, even if the first bytes look like IPv6.
   */
  public static @Nullable Route routeOf(ByteBuffer grh) {
    int at = grh.position();
    int ipv4At = at + BYTES - IpHeader.IPV4_BYTES;
    ByteBuffer bytes = grh.duplicate();
    if (IpHeader.isIpv4(bytes, ipv4At)) {
      return IpHeader.readIpv4(bytes, ipv4At, RoceV2.UDP_PORT);
    }
    return IpHeader.isIpv6(bytes, at) ? IpHeader.readIpv6(bytes, at, RoceV2.UDP_PORT) : null;
  }
}

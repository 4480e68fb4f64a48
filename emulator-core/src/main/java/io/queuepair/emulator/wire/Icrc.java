// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Invariant CRC: the CRC-32 of Ethernet over everything that no router may change, including IP and
 * UDP headers (InfiniBand Architecture, annex A17; Linux {@code rxe_icrc.c}). It is appended to the
 * packet least significant byte first.
 *
 * <p>Linux Soft-RoCE covers the headers of RC_FLUSH twice, because its opcode table gives their
 * length as zero. Each drops the FLUSH of the other; the ICRC here follows the specification.
 *
 * <p>Not thread-safe: scratch space and recent headers are reused, so that no packet allocates
 * memory.
 */
public final class Icrc {
  private static final int SETS_BITS = 4;

  private final CRC32 crc = new CRC32();
  private final IpIdSolver ipIdSolver = new IpIdSolver();

  /** Pseudo headers of a few connections: two in each set, the more recent first. */
  private final IcrcPseudoHeader[] recentHeaders = new IcrcPseudoHeader[2 << SETS_BITS];

  /** Pseudo header used last, as the next packet mostly has the same route. */
  private @Nullable IcrcPseudoHeader last;

  /**
   * ICRC of a packet that is sent with DF set.
   *
   * @param identification identification of the IPv4 header, ignored over IPv6
   * @param length number of bytes from the BTH to the pad
   */
  public int compute(Route route, int identification, ByteBuffer bytes, int offset, int length) {
    // Rule icrc.coverage: The ICRC covers the headers from IP on, and the payload.
    // Source: IBTA vol. 1, annex A17; rxe_icrc.c rxe_icrc_generate
    // Test: IcrcTest.isRight
    int fragmentation = identification << Short.SIZE | IpHeader.DONT_FRAGMENT;
    return compute(headers(route), fragmentation, bytes, offset, length);
  }

  /** ICRC that a captured packet must have, computed over the captured headers. */
  int compute(EthernetFrame frame) {
    Payload udpPayload = frame.udpPayload();
    int length = udpPayload.length() - RoceV2.ICRC_BYTES;
    int fragmentation = frame.identification() << Short.SIZE | frame.flags();
    return compute(
        headers(frame.route()), fragmentation, udpPayload.buffer(), udpPayload.offset(), length);
  }

  /**
   * Whether the ICRC of a captured packet, of at least a BTH and an ICRC, is right. This is exact
   * over IPv4, too, as the identification was captured.
   */
  public boolean verify(EthernetFrame frame) {
    // Rule icrc.check: A packet with a wrong ICRC is dropped.
    // Source: rxe_icrc.c rxe_icrc_check
    // Test: PacketCodecTest.everyFlippedBitIsNoticedOverIpv6
    Payload udpPayload = frame.udpPayload();
    int last = udpPayload.offset() + udpPayload.length() - RoceV2.ICRC_BYTES;
    return compute(frame) == read(udpPayload.buffer(), last);
  }

  /**
   * Whether the ICRC of a received packet is right. Over IPv4 any identification that explains the
   * ICRC is accepted, so one of 65536 corrupted packets is not detected; over IPv6 the check is
   * exact.
   *
   * @param lengthWithIcrc number of bytes from the BTH to the end
   */
  public boolean verify(Route route, ByteBuffer bytes, int offset, int lengthWithIcrc) {
    int length = lengthWithIcrc - RoceV2.ICRC_BYTES;
    IcrcPseudoHeader headers = headers(route);
    int withZero = compute(headers, IpHeader.DONT_FRAGMENT, bytes, offset, length);
    int difference = withZero ^ read(bytes, offset + length);
    if (headers.hasIdentification()) {
      return ipIdSolver.explains(difference, length);
    }
    return difference == 0;
  }

  /**
   * Writes the ICRC at the end of a packet that is sent with DF set and identification 0.
   *
   * @param lengthWithIcrc number of bytes from the BTH to the end
   */
  public void seal(Route route, ByteBuffer bytes, int offset, int lengthWithIcrc) {
    int length = lengthWithIcrc - RoceV2.ICRC_BYTES;
    write(compute(route, 0, bytes, offset, length), bytes, offset + length);
  }

  static int read(ByteBuffer bytes, int at) {
    return Integer.reverseBytes(bytes.getInt(at));
  }

  static void write(int icrc, ByteBuffer into, int at) {
    into.putInt(at, Integer.reverseBytes(icrc));
  }

  private int compute(
      IcrcPseudoHeader headers, int fragmentation, ByteBuffer bytes, int offset, int length) {
    if (!IcrcPseudoHeader.isCommon(fragmentation) || IcrcPseudoHeader.hides(bytes, offset)) {
      return computeWhole(headers, fragmentation, bytes, offset, length);
    }
    int alone = computeAlone(bytes, offset, length);
    // CRC is affine: the part of the headers depends only on route, fragmentation and length.
    if (!headers.isKnown(fragmentation, length)) {
      int whole = computeWhole(headers, fragmentation, bytes, offset, length);
      headers.learn(fragmentation, length, alone ^ whole);
    }
    return alone ^ headers.difference(fragmentation, length);
  }

  /** CRC of the packet alone, without the headers before it. */
  private int computeAlone(ByteBuffer bytes, int offset, int length) {
    if (length <= Crc32Slice8.MOST_BYTES) {
      return Crc32Slice8.of(bytes, offset, length);
    }
    crc.reset();
    update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private int computeWhole(
      IcrcPseudoHeader headers, int fragmentation, ByteBuffer bytes, int offset, int length) {
    crc.reset();
    headers.addTo(crc, fragmentation, bytes, offset, length);
    update(bytes, offset + RoceV2.BTH_BYTES, length - RoceV2.BTH_BYTES);
    return (int) crc.getValue();
  }

  private void update(ByteBuffer bytes, int offset, int length) {
    if (bytes.hasArray()) {
      crc.update(bytes.array(), bytes.arrayOffset() + offset, length);
      return;
    }
    int position = bytes.position();
    int limit = bytes.limit();
    crc.update(bytes.limit(offset + length).position(offset));
    bytes.limit(limit).position(position);
  }

  private IcrcPseudoHeader headers(Route route) {
    if (last == null || !last.isOf(route)) {
      last = find(route);
    }
    return last;
  }

  private IcrcPseudoHeader find(Route route) {
    int first = (route.hashCode() * 0x9e3779b9) >>> (Integer.SIZE - SETS_BITS) << 1;
    IcrcPseudoHeader headers = recentHeaders[first];
    if (headers != null && headers.isOf(route)) {
      return headers;
    }
    IcrcPseudoHeader secondHeader = recentHeaders[first + 1];
    recentHeaders[first + 1] = headers;
    recentHeaders[first] =
        secondHeader != null && secondHeader.isOf(route)
            ? secondHeader
            : new IcrcPseudoHeader(route);
    return recentHeaders[first];
  }
}

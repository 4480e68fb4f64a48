// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * The segments of a large send: the header the application gave, the data of one segment, and in
 * the copy of the header what differs from segment to segment. These are the rules of Linux
 * (Documentation/networking/segmentation-offloads.rst): lengths of IP and UDP are those of the
 * segment; the identification of IPv4 counts up; the sequence number of TCP advances by the data
 * before; FIN and PSH are in the last segment only, CWR (RFC 3168) in the first; all checksums are
 * computed. A header that is not of IP is repeated as it is.
 */
public final class SegmentationOffload {
  private static final int IPV4_LENGTH = 2;
  private static final int IPV4_IDENTIFICATION = 4;
  private static final int IPV6_LENGTH = 4;
  private static final int UDP_LENGTH = 4;
  private static final int TCP_SEQUENCE = 4;
  private static final int TCP_FLAGS = 13;
  private static final int TCP_BYTES = 20;
  private static final int FIN_AND_PSH = 0x01 | 0x08;
  private static final int CWR = 0x80;

  private SegmentationOffload() {}

  /**
   * Which part of a large send a segment is.
   *
   * @param index from 0
   * @param bytesBefore data in the segments before
   * @param isLast whether there is none behind
   */
  public record SegmentPosition(int index, long bytesBefore, boolean isLast) {}

  /** One segment, in memory of its own. */
  public static Payload segment(
      Encapsulation encapsulation, ByteBuffer hdr, SegmentPosition part, Payload data) {
    int hdrBytes = hdr.remaining();
    ByteBuffer bytes = ByteBuffer.allocate(hdrBytes + data.length());
    bytes.put(0, hdr, hdr.position(), hdrBytes);
    data.copyTo(bytes, hdrBytes);
    Payload segment = new Payload(bytes, 0, bytes.capacity());
    // The header is looked for in itself: data that looks like one stays as it is.
    IpPacket header = encapsulation.packetIn(new Payload(bytes, 0, hdrBytes));
    if (header != null && header.hasSoundHeader()) {
      adapt(header, part, encapsulation.packetIn(segment));
    }
    return segment;
  }

  private static void adapt(IpPacket header, SegmentPosition part, IpPacket whole) {
    ByteBuffer bytes = whole.bytes();
    if (whole.isIpv4()) {
      bytes.putShort(whole.at() + IPV4_LENGTH, (short) (whole.end() - whole.at()));
      int identification = whole.at() + IPV4_IDENTIFICATION;
      bytes.putShort(identification, (short) (bytes.getShort(identification) + part.index()));
    } else {
      bytes.putShort(whole.at() + IPV6_LENGTH, (short) (whole.end() - whole.transportAt()));
    }
    int transport = whole.transportAt();
    int room = header.end() - transport;
    if (header.isTcp() && room >= TCP_BYTES) {
      adaptTcp(bytes, transport, part);
      ChecksumOffload.fill(whole);
    } else if (header.isUdp() && room >= RoceV2.UDP_HEADER_BYTES) {
      bytes.putShort(transport + UDP_LENGTH, (short) (whole.end() - transport));
      ChecksumOffload.fill(whole);
    } else {
      ChecksumOffload.fillHeader(whole);
    }
  }

  private static void adaptTcp(ByteBuffer bytes, int at, SegmentPosition part) {
    int sequence = bytes.getInt(at + TCP_SEQUENCE);
    bytes.putInt(at + TCP_SEQUENCE, sequence + (int) part.bytesBefore());
    int flags = bytes.get(at + TCP_FLAGS);
    if (!part.isLast()) {
      flags &= ~FIN_AND_PSH;
    }
    if (part.index() > 0) {
      flags &= ~CWR;
    }
    bytes.put(at + TCP_FLAGS, (byte) flags);
  }
}

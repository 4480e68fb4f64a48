// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Segments of a large send. Each has a copy of the header that the application gave, changed where
 * segments differ, and the data of the segment. The rules are those of Linux
 * (Documentation/networking/segmentation-offloads.rst): lengths of IP and UDP are those of the
 * segment; the identification of IPv4 counts up; the sequence number of TCP advances by the data of
 * the segments before; FIN and PSH are in the last segment only, CWR (RFC 3168) in the first; all
 * checksums are computed. A header other than IP is repeated without changes.
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
   * Position of a segment in a large send.
   *
   * @param index number of the segment, from 0
   * @param bytesBefore number of data bytes in the segments before
   * @param isLast whether it is the last segment
   */
  public record SegmentPosition(int index, long bytesBefore, boolean isLast) {}

  /** Creates one segment, in memory of its own. */
  public static Payload segment(
      Encapsulation encapsulation, ByteBuffer hdr, SegmentPosition position, Payload payload) {
    int hdrBytes = hdr.remaining();
    ByteBuffer bytes = ByteBuffer.allocate(hdrBytes + payload.length());
    bytes.put(0, hdr, hdr.position(), hdrBytes);
    payload.copyTo(bytes, hdrBytes);
    Payload segmentPayload = new Payload(bytes, 0, bytes.capacity());
    // Only the header is searched: data that looks like a header must not change.
    IpPacket packet = encapsulation.packetIn(new Payload(bytes, 0, hdrBytes));
    if (packet != null && packet.hasSoundHeader()) {
      adapt(packet, position, encapsulation.packetIn(segmentPayload));
    }
    return segmentPayload;
  }

  private static void adapt(IpPacket packet, SegmentPosition position, IpPacket wholePacket) {
    ByteBuffer bytes = wholePacket.bytes();
    if (wholePacket.isIpv4()) {
      bytes.putShort(
          wholePacket.at() + IPV4_LENGTH, (short) (wholePacket.end() - wholePacket.at()));
      int identification = wholePacket.at() + IPV4_IDENTIFICATION;
      bytes.putShort(identification, (short) (bytes.getShort(identification) + position.index()));
    } else {
      bytes.putShort(
          wholePacket.at() + IPV6_LENGTH, (short) (wholePacket.end() - wholePacket.transportAt()));
    }
    int transport = wholePacket.transportAt();
    int room = packet.end() - transport;
    if (packet.isTcp() && room >= TCP_BYTES) {
      adaptTcp(bytes, transport, position);
      ChecksumOffload.fill(wholePacket);
    } else if (packet.isUdp() && room >= RoceV2.UDP_HEADER_BYTES) {
      bytes.putShort(transport + UDP_LENGTH, (short) (wholePacket.end() - transport));
      ChecksumOffload.fill(wholePacket);
    } else {
      ChecksumOffload.fillHeader(wholePacket);
    }
  }

  private static void adaptTcp(ByteBuffer bytes, int at, SegmentPosition position) {
    int sequence = bytes.getInt(at + TCP_SEQUENCE);
    bytes.putInt(at + TCP_SEQUENCE, sequence + (int) position.bytesBefore());
    int flags = bytes.get(at + TCP_FLAGS);
    if (!position.isLast()) {
      flags &= ~FIN_AND_PSH;
    }
    if (position.index() > 0) {
      flags &= ~CWR;
    }
    bytes.put(at + TCP_FLAGS, (byte) flags);
  }
}

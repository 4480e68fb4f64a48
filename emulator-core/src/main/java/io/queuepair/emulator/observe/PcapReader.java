// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a file of the classic format (pcap, IETF draft-ietf-opsawg-pcap), as tcpdump writes it. */
final class PcapReader implements FrameReader {
  private static final int MICROSECONDS = 0xa1b2c3d4;
  private static final int NANOSECONDS = 0xa1b23c4d;
  private static final int HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final String RECORD = "packet";

  private final CaptureInput input;
  private final ByteOrder order;
  private final int nanosPerUnit;
  private final int linkType;
  private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
  private final ByteBuffer frame = ByteBuffer.allocate(CapturedFrame.MAX_BYTES);

  /** Continues after the first two 32-bit words of the file. */
  PcapReader(CaptureInput input, ByteBuffer beginning) {
    this.input = input;
    int magic = beginning.getInt(0);
    boolean isBigEndian = isMagic(magic);
    order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    int ownMagic = isBigEndian ? magic : Integer.reverseBytes(magic);
    nanosPerUnit = ownMagic == NANOSECONDS ? 1 : NANOS_PER_MICRO;
    header.order(order);
    input.readAll(header, HEADER_BYTES - beginning.capacity(), "file header", 0);
    // After magic and version: two unused words, snap length, link type in the lower half of a
    // word.
    linkType = Short.toUnsignedInt((short) header.getInt(12));
  }

  /** Whether the first word of a file is a magic number of this format, in either byte order. */
  static boolean isBeginning(int magic) {
    return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
  }

  private static boolean isMagic(int magic) {
    return magic == MICROSECONDS || magic == NANOSECONDS;
  }

  @Override
  public @Nullable CapturedFrame next() {
    long start = input.offset();
    int count = input.read(header, RECORD_HEADER_BYTES);
    if (count == 0) {
      return null;
    }
    if (count < RECORD_HEADER_BYTES) {
      throw input.endsWithin(RECORD, start);
    }
    long seconds = Integer.toUnsignedLong(header.getInt(0));
    long units = Integer.toUnsignedLong(header.getInt(4));
    long captured = Integer.toUnsignedLong(header.getInt(8));
    if (captured > CapturedFrame.MAX_BYTES) {
      throw input.broken(
          start,
          "a packet says that it has "
              + captured
              + " bytes, but "
              + CapturedFrame.MAX_BYTES
              + " is the most");
    }
    frame.clear();
    input.readAll(frame, (int) captured, RECORD, start);
    long nanos = seconds * CapturedFrame.NANOS_PER_SECOND + units * nanosPerUnit;
    return new CapturedFrame(nanos, linkType, frame.limit((int) captured), List.of());
  }
}

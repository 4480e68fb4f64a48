// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a pcapng file (IETF draft-ietf-opsawg-pcapng) of any number of sections, each in its own
 * byte order, with any number of interfaces. Blocks that hold no frames are skipped.
 */
final class PcapngReader implements FrameReader {
  static final int SECTION_HEADER = 0x0a0d0d0a;

  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int OBSOLETE_PACKET = 2;
  private static final int SIMPLE_PACKET = 3;
  private static final int ENHANCED_PACKET = 6;

  private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;

  /** Bytes around the body of a block: type and length before it, the length again after it. */
  private static final int BLOCK_FRAME_BYTES = 12;

  private static final int FRONT_BYTES = 8;

  private static final int SECTION_BYTES = 16;
  private static final int INTERFACE_BYTES = 8;
  private static final int PACKET_BYTES = 20;
  private static final int OPTION_FRONT = 4;
  private static final String PACKET = "packet";

  private static final int END_OF_OPTIONS = 0;
  private static final int COMMENT = 1;
  private static final int TIMESTAMP_RESOLUTION = 9;
  private static final int TIMESTAMP_OFFSET = 14;

  /** Longest body: the longest frame with its options; no program writes longer ones. */
  private static final int MAX_BODY_BYTES = 2 * CapturedFrame.MAX_BYTES;

  private static final int MAX_INTERFACES = 1 << 16;

  private final CaptureInput input;
  private final ByteBuffer front = ByteBuffer.allocate(FRONT_BYTES);
  private final ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES);
  private final ByteBuffer body = ByteBuffer.allocate(MAX_BODY_BYTES);
  private final List<CaptureInterface> interfaces = new ArrayList<>();
  private ByteOrder order = ByteOrder.BIG_ENDIAN;

  /** Time of the last packet that had one; a simple packet block has none. */
  private long lastNanos;

  /** Offset of the present block. */
  private long start;

  /** Continues after the first two 32-bit words: type and length of a section header. */
  PcapngReader(CaptureInput input, ByteBuffer beginning) {
    this.input = input;
    front.put(0, beginning, 0, FRONT_BYTES);
    input.readAll(magic, Integer.BYTES, "section header", start);
    readSectionHeader();
  }

  @Override
  public @Nullable CapturedFrame next() {
    while (true) {
      start = input.offset();
      int count = input.read(front, FRONT_BYTES);
      if (count == 0) {
        return null;
      }
      if (count < FRONT_BYTES) {
        throw input.endsWithin("block", start);
      }
      CapturedFrame frame = readBlock(front.order(order).getInt(0));
      if (frame != null) {
        return frame;
      }
    }
  }

  /** Reads the rest of a block; returns its frame, or null if it has none. */
  private @Nullable CapturedFrame readBlock(int type) {
    switch (type) {
      case SECTION_HEADER -> {
        input.readAll(magic, Integer.BYTES, "section header", start);
        readSectionHeader();
      }
      case INTERFACE_DESCRIPTION -> {
        readBody(INTERFACE_BYTES, "interface description");
        addInterface();
      }
      case ENHANCED_PACKET -> {
        readBody(PACKET_BYTES, PACKET);
        return packet(Integer.toUnsignedLong(body.getInt(0)));
      }
      case OBSOLETE_PACKET -> {
        readBody(PACKET_BYTES, PACKET);
        return packet(Short.toUnsignedLong(body.getShort(0)));
      }
      case SIMPLE_PACKET -> {
        readBody(Integer.BYTES, PACKET);
        return simplePacket();
      }
      default -> {
        input.skipAll(bodyBytes(0), "block", start);
        checkEnd();
      }
    }
    return null;
  }

  /** Reads a section header after its byte-order magic, by which the length before it is read. */
  private void readSectionHeader() {
    int found = magic.getInt(0);
    if (found != BYTE_ORDER_MAGIC && found != Integer.reverseBytes(BYTE_ORDER_MAGIC)) {
      throw input.broken(start, "a section has no byte-order magic");
    }
    order = found == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    long rest = bodyBytes(SECTION_BYTES) - Integer.BYTES;
    input.skipAll(rest, "section header", start);
    checkEnd();
    interfaces.clear();
  }

  private void addInterface() {
    if (interfaces.size() == MAX_INTERFACES) {
      throw input.broken(start, "a section has more than " + MAX_INTERFACES + " interfaces");
    }
    long units = CaptureInterface.MICROSECONDS;
    long offsetSeconds = 0;
    for (int at = INTERFACE_BYTES; hasOption(at); at = nextOption(at)) {
      int length = optionBytes(at);
      switch (optionCode(at)) {
        case TIMESTAMP_RESOLUTION -> {
          units = length < 1 ? 0 : CaptureInterface.unitsPerSecond(body.get(at + OPTION_FRONT));
        }
        case TIMESTAMP_OFFSET -> {
          offsetSeconds = length < Long.BYTES ? 0 : body.getLong(at + OPTION_FRONT);
        }
        default -> {}
      }
    }
    if (units == 0) {
      throw input.broken(start, "an interface has a time resolution that is none");
    }
    int linkType = Short.toUnsignedInt(body.getShort(0));
    long snapBytes = Integer.toUnsignedLong(body.getInt(4));
    interfaces.add(new CaptureInterface(linkType, snapBytes, units, offsetSeconds));
  }

  /** Frame of an enhanced or an obsolete packet block; only the field of the interface differs. */
  private CapturedFrame packet(long interfaceId) {
    CaptureInterface from = interfaceOf(interfaceId);
    long timestamp = (long) body.getInt(4) << 32 | Integer.toUnsignedLong(body.getInt(8));
    long captured = Integer.toUnsignedLong(body.getInt(12));
    if (captured > body.limit() - PACKET_BYTES) {
      throw input.broken(
          start, "a packet says that it has " + captured + " bytes, more than its block");
    }
    lastNanos = from.epochNanos(timestamp);
    List<String> comments = comments(PACKET_BYTES + ((int) captured + 3 & ~3));
    return framed(from, PACKET_BYTES, (int) captured, comments);
  }

  private CapturedFrame simplePacket() {
    CaptureInterface from = interfaceOf(0);
    long captured = Integer.toUnsignedLong(body.getInt(0));
    if (from.snapBytes() != 0) {
      captured = Math.min(captured, from.snapBytes());
    }
    captured = Math.min(captured, body.limit() - Integer.BYTES);
    return framed(from, Integer.BYTES, (int) captured, List.of());
  }

  private CapturedFrame framed(CaptureInterface from, int at, int captured, List<String> comments) {
    return new CapturedFrame(lastNanos, from.linkType(), body.slice(at, captured), comments);
  }

  private CaptureInterface interfaceOf(long id) {
    if (id >= interfaces.size()) {
      throw input.broken(
          start, "a packet is of interface " + id + ", which the file does not describe before it");
    }
    return interfaces.get((int) id);
  }

  private List<String> comments(int optionsAt) {
    List<String> comments = List.of();
    for (int at = optionsAt; hasOption(at); at = nextOption(at)) {
      if (optionCode(at) == COMMENT) {
        comments = comments.isEmpty() ? new ArrayList<>() : comments;
        comments.add(StandardCharsets.UTF_8.decode(optionValue(at)).toString());
      }
    }
    return comments;
  }

  private boolean hasOption(int at) {
    return at + OPTION_FRONT <= body.limit()
        && optionCode(at) != END_OF_OPTIONS
        && optionBytes(at) <= body.limit() - at - OPTION_FRONT;
  }

  private int optionCode(int at) {
    return Short.toUnsignedInt(body.getShort(at));
  }

  private int optionBytes(int at) {
    return Short.toUnsignedInt(body.getShort(at + 2));
  }

  private ByteBuffer optionValue(int at) {
    return body.slice(at + OPTION_FRONT, optionBytes(at));
  }

  private int nextOption(int at) {
    return at + OPTION_FRONT + (optionBytes(at) + 3 & ~3);
  }

  /** Reads the body of the present block, which lies between its two lengths. */
  private void readBody(int leastBytes, String what) {
    long length = bodyBytes(leastBytes);
    if (length > MAX_BODY_BYTES) {
      throw input.broken(start, "the block of a " + what + " is " + length + " bytes long");
    }
    body.clear();
    input.readAll(body, (int) length, what, start);
    checkEnd();
    body.limit((int) length).order(order);
  }

  /** Length of the body of the present block; fails if that is below {@code leastBytes}. */
  private long bodyBytes(int leastBytes) {
    long length = Integer.toUnsignedLong(front.order(order).getInt(4));
    if (length % Integer.BYTES != 0 || length < BLOCK_FRAME_BYTES + leastBytes) {
      throw input.broken(start, "a block says that it is " + length + " bytes long");
    }
    return length - BLOCK_FRAME_BYTES;
  }

  /** Checks that the length at the end of a block equals the one at its beginning. */
  private void checkEnd() {
    long at = input.offset();
    input.readAll(magic, Integer.BYTES, "block", start);
    if (magic.order(order).getInt(0) != front.order(order).getInt(4)) {
      throw input.broken(at, "the lengths before and behind a block differ");
    }
    magic.order(ByteOrder.BIG_ENDIAN);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The memory of the process, by address: what a structure of C has is read where it is. */
final class RawMemory {
  private static final ValueLayout.OfLong BIG_ENDIAN =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  @SuppressWarnings("restricted") // All memory can be reached, as from C.
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private RawMemory() {}

  /** Zeroed memory that lives as long as the arena. */
  static long allocate(Arena arena, long bytes) {
    return arena.allocate(bytes, Long.BYTES).address();
  }

  static int getByte(long address) {
    return Byte.toUnsignedInt(ALL.get(ValueLayout.JAVA_BYTE, address));
  }

  static int getShort(long address) {
    return Short.toUnsignedInt(ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address));
  }

  static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  static long getBigEndian(long address) {
    return ALL.get(BIG_ENDIAN, address);
  }

  static void putByte(long address, int value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
  }

  static void putShort(long address, int value) {
    ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, (short) value);
  }

  static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }

  static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  static void putBigEndian(long address, long value) {
    ALL.set(BIG_ENDIAN, address, value);
  }

  /** Zeroes a multiple of 8 bytes. A slice of the memory would be an object for each call. */
  static void clear(long address, long bytes) {
    for (long at = 0; at < bytes; at += Long.BYTES) {
      putLong(address + at, 0);
    }
  }

  /**
   * Copies the bytes from the position to the limit, which stay. A segment of the buffer would be
   * an object for each call.
   */
  static void putBytes(long address, ByteBuffer bytes) {
    int start = bytes.position();
    int count = bytes.remaining();
    boolean isNative = bytes.order() == ByteOrder.nativeOrder();
    int at = 0;
    for (; at + Long.BYTES <= count; at += Long.BYTES) {
      long next = bytes.getLong(start + at);
      putLong(address + at, isNative ? next : Long.reverseBytes(next));
    }
    for (; at < count; at++) {
      putByte(address + at, bytes.get(start + at));
    }
  }

  /** Fills a buffer from its position to its limit, which stay. */
  static void getBytes(long address, ByteBuffer into) {
    MemorySegment.copy(ALL, address, MemorySegment.ofBuffer(into), 0, into.remaining());
  }

  /** The characters up to the first that is 0. */
  static String getText(long address, int room) {
    byte[] text = new byte[room];
    int length = 0;
    while (length < room && getByte(address + length) != 0) {
      text[length] = (byte) getByte(address + length);
      length++;
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  /** Converts an integer between the byte order of the network and that of this machine. */
  static int networkOrder(int value) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A process with some mapped pages, which notes how it is accessed. */
public final class FakeProcess implements ProcessAccess {
  public static final int PAGE = 4096;

  private final Map<Long, byte[]> pages = new TreeMap<>();
  private final List<Integer> reads = new ArrayList<>();
  private final List<List<Integer>> writes = new ArrayList<>();

  /** Maps pages from an address on, which begins one. */
  public FakeProcess map(long address, int count) {
    for (int i = 0; i < count; i++) {
      pages.put(address / PAGE + i, new byte[PAGE]);
    }
    return this;
  }

  /** Unmaps the page of an address. */
  public void unmap(long address) {
    pages.remove(address / PAGE);
  }

  /** Puts bytes where pages are mapped. */
  public void put(long address, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      pages.get((address + i) / PAGE)[(int) ((address + i) % PAGE)] = bytes[i];
    }
  }

  /** The bytes at an address. */
  public byte[] bytes(long address, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = pages.get((address + i) / PAGE)[(int) ((address + i) % PAGE)];
    }
    return bytes;
  }

  /** How much was read by each call. */
  public List<Integer> reads() {
    return reads;
  }

  /** The lengths of the pieces of each write. */
  public List<List<Integer>> writes() {
    return writes;
  }

  private boolean isMapped(long address, int length) {
    for (long page = address / PAGE; page <= (address + length - 1) / PAGE; page++) {
      if (!pages.containsKey(page)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean read(long address, ByteBuffer target, int at, int length) {
    reads.add(length);
    if (!isMapped(address, length)) {
      return false;
    }
    target.put(at, bytes(address, length));
    return true;
  }

  @Override
  public int write(ByteBuffer source, ByteBuffer pieces, int first, int count) {
    List<Integer> lengths = new ArrayList<>();
    writes.add(lengths);
    for (int i = 0; i < count; i++) {
      int piece = (first + i) * PIECE_BYTES;
      long address = pieces.getLong(piece);
      byte[] bytes = new byte[pieces.getInt(piece + PIECE_LENGTH)];
      if (!isMapped(address, bytes.length)) {
        return i;
      }
      source.get(pieces.getInt(piece + PIECE_OFFSET), bytes);
      put(address, bytes);
      lengths.add(bytes.length);
    }
    return count;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reusable scatter/gather list in arrays of numbers. */
public final class SgeArray {
  private static final int WORDS = 2;

  /**
   * Two words per entry: the address, or the offset of inline bytes in their buffer; then the
   * length in the upper half and the lkey in the lower.
   */
  private long[] words = new long[WORDS];

  /** Inline bytes of entries, by position; empty if no entry ever had any. */
  private @Nullable ByteBuffer[] ownBytes = {};

  private int size;

  public int size() {
    return size;
  }

  /** Memory of the array of numbers, in bytes. */
  public long memoryBytes() {
    return (long) Long.BYTES * words.length;
  }

  public void clear() {
    size = 0;
    Arrays.fill(ownBytes, null);
  }

  public void set(List<Sge> sges) {
    clear();
    for (int i = 0; i < sges.size(); i++) {
      Sge sge = sges.get(i);
      if (sge.hasInlineData()) {
        ByteBuffer bytes = sge.inlineData().get();
        addOwn(bytes, bytes.position(), bytes.remaining());
      } else {
        add(sge.addr(), sge.length(), sge.lkey());
      }
    }
  }

  public void add(long addr, int length, int lkey) {
    if (words.length == WORDS * size) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    words[WORDS * size] = addr;
    words[WORDS * size + 1] = (long) length << Integer.SIZE | Integer.toUnsignedLong(lkey);
    size++;
  }

  /** Adds inline bytes, which need not be registered; they are not copied. */
  public void addOwn(ByteBuffer bytes, int offset, int length) {
    add(offset, length, 0);
    if (ownBytes.length < size) {
      ownBytes = Arrays.copyOf(ownBytes, size);
    }
    ownBytes[size - 1] = bytes;
  }

  /** Address of an entry; of inline bytes their offset in the buffer. */
  public long addr(int index) {
    return words[WORDS * index];
  }

  public int length(int index) {
    return (int) (words[WORDS * index + 1] >> Integer.SIZE);
  }

  public int lkey(int index) {
    return (int) words[WORDS * index + 1];
  }

  /** Whether an entry names a region by its lkey. */
  public boolean name(int lkey) {
    for (int i = 0; i < size; i++) {
      if (lkey(i) == lkey && !isOwn(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an entry has inline bytes. */
  public boolean isOwn(int index) {
    return index < ownBytes.length && ownBytes[index] != null;
  }

  public boolean areOwn() {
    for (int i = 0; i < size; i++) {
      if (!isOwn(i)) {
        return false;
      }
    }
    return true;
  }

  /** Copies the inline bytes of an entry. */
  public void copyOwn(int index, ByteBuffer target, int at) {
    target.put(at, ownBytes[index], (int) addr(index), length(index));
  }

  public long totalLength() {
    long length = 0;
    for (int i = 0; i < size; i++) {
      length += length(i);
    }
    return length;
  }

  /** Index of the first entry with inline bytes, or -1. */
  public int firstOwn() {
    for (int i = 0; i < size; i++) {
      if (isOwn(i)) {
        return i;
      }
    }
    return -1;
  }

  public String tooMany(int limit) {
    return size + " scatter/gather entries are more than the limit of " + limit;
  }

  /** Message that refuses an entry of negative length; null if there is none. */
  public @Nullable String negativeLength() {
    for (int i = 0; i < size; i++) {
      if (length(i) < 0) {
        return "entry " + i + " has length " + length(i) + ", below 0";
      }
    }
    return null;
  }

  /** Clears the addresses, lkeys and inline bytes of all entries, but keeps their lengths. */
  public void forgetAddresses() {
    for (int i = 0; i < size; i++) {
      words[WORDS * i] = 0;
      words[WORDS * i + 1] = (long) length(i) << Integer.SIZE;
    }
    Arrays.fill(ownBytes, null);
  }
}

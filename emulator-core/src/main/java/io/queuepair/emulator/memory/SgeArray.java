// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of a scatter/gather list as plain numbers. It can be filled again. */
public final class SgeArray {
  private static final int WORDS = 2;

  /** Of each entry the address, and the length above the key. */
  private long[] words = new long[WORDS];

  /** Bytes that entries have of their own, by position; null if none of them ever had any. */
  private @Nullable ByteBuffer @Nullable [] ownBytes;

  private int size;

  /** A new array with the entries of a list. */
  public static SgeArray of(List<Sge> sges) {
    SgeArray array = new SgeArray();
    array.set(sges);
    return array;
  }

  public int size() {
    return size;
  }

  /** Removes all entries. */
  public void clear() {
    size = 0;
    ownBytes = null;
  }

  /** Replaces all entries. */
  public void set(List<Sge> sges) {
    clear();
    for (int i = 0; i < sges.size(); i++) {
      Sge sge = sges.get(i);
      if (sge.hasInlineData()) {
        addOwn(sge.inlineData().get());
      } else {
        add(sge.addr(), sge.length(), sge.lkey());
      }
    }
  }

  /** Adds a range of registered memory. */
  public void add(long addr, int length, int lkey) {
    if (words.length == WORDS * size) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    words[WORDS * size] = addr;
    words[WORDS * size + 1] = (long) length << Integer.SIZE | Integer.toUnsignedLong(lkey);
    size++;
  }

  /** Adds bytes that need not be registered, from position to limit; they are not copied. */
  public void addOwn(ByteBuffer bytes) {
    add(0, bytes.remaining(), 0);
    ownBytes = ownBytes == null ? new ByteBuffer[size] : Arrays.copyOf(ownBytes, size);
    ownBytes[size - 1] = bytes;
  }

  public long addr(int index) {
    return words[WORDS * index];
  }

  public int length(int index) {
    return (int) (words[WORDS * index + 1] >> Integer.SIZE);
  }

  public int lkey(int index) {
    return (int) words[WORDS * index + 1];
  }

  /** The bytes of an entry that has some of its own, or null. */
  public @Nullable ByteBuffer ownBytes(int index) {
    return ownBytes == null || index >= ownBytes.length ? null : ownBytes[index];
  }

  /** Bytes of all entries together. */
  public long totalLength() {
    long length = 0;
    for (int i = 0; i < size; i++) {
      length += length(i);
    }
    return length;
  }

  /** Lets each entry name as many bytes outside any region. */
  public void forgetAddresses() {
    for (int i = 0; i < size; i++) {
      words[WORDS * i] = 0;
      words[WORDS * i + 1] = (long) length(i) << Integer.SIZE;
    }
    ownBytes = null;
  }
}

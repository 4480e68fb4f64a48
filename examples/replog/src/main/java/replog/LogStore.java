// SPDX-License-Identifier: Apache-2.0
package replog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A log in memory that peers write to, in slots of one length: term, index, length of the data,
 * CRC, data, and term and index again. What is written in part does not count.
 */
final class LogStore {
  static final int SLOT_BYTES = 128;
  static final int SLOTS = 2_048;
  static final int MAX_DATA_BYTES = 96;

  private static final int TRAILER = SLOT_BYTES - Long.BYTES;

  private final ByteBuffer memory;

  record Entry(long term, long index, byte[] data) {}

  LogStore(ByteBuffer memory) {
    this.memory = memory;
  }

  static int offset(long index) {
    return (int) index * SLOT_BYTES;
  }

  void put(Entry entry) {
    slot(entry.index())
        .putLong(entry.term())
        .putLong(entry.index())
        .putInt(entry.data().length)
        .putInt(crc(entry))
        .put(entry.data())
        .putLong(TRAILER, trailer(entry.term(), entry.index()));
  }

  /** The bytes of an entry, as a peer is to have them. */
  ByteBuffer slot(long index) {
    return memory.slice(offset(index), SLOT_BYTES);
  }

  private static long trailer(long term, long index) {
    return term ^ ~index;
  }

  private static int crc(Entry entry) {
    CRC32 crc = new CRC32();
    crc.update(
        ByteBuffer.allocate(2 * Long.BYTES).putLong(entry.term()).putLong(entry.index()).flip());
    crc.update(entry.data());
    return (int) crc.getValue();
  }

  /** The entry of an index, or null if there is no whole one. */
  private Entry get(long index) {
    if (index < 0 || index >= SLOTS) {
      return null;
    }
    ByteBuffer slot = slot(index);
    long term = slot.getLong();
    long writtenIndex = slot.getLong();
    int length = slot.getInt();
    int crc = slot.getInt();
    boolean isWhole =
        term != 0
            && writtenIndex == index
            && length >= 0
            && length <= MAX_DATA_BYTES
            && slot.getLong(TRAILER) == trailer(term, index);
    if (!isWhole) {
      return null;
    }
    byte[] data = new byte[length];
    slot.get(data);
    Entry entry = new Entry(term, index, data);
    return crc(entry) == crc ? entry : null;
  }

  /** Index of the last entry, or -1. An older term after a newer one is a leftover. */
  long last() {
    long term = 0;
    long index = 0;
    for (Entry entry = get(0); entry != null && entry.term() >= term; entry = get(++index)) {
      term = entry.term();
    }
    return index - 1;
  }

  /** The term of an entry; 0 if there is none. */
  long termAt(long index) {
    Entry entry = get(index);
    return entry == null ? 0 : entry.term();
  }

  /** The entries up to an index; null stands for one that is missing. */
  List<Entry> prefix(long last) {
    List<Entry> entries = new ArrayList<>();
    for (long index = 0; index <= last; index++) {
      entries.add(get(index));
    }
    return entries;
  }
}

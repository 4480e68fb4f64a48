// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.Sge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Slot of a {@link MemoryPool} for one work request, with a guard area after it. */
final class GuardedBuffer {
  private final MemoryPool pool;
  private final int offset;

  /** Bytes that may arrive in the slot; null if unknown. */
  private byte[] expected;

  /** Number of leading bytes whose content is not checked, as unknown data may arrive. */
  private int openBytes;

  /** Whether the slot never returns to the pool. */
  private boolean isReserved;

  /** Number of requests that still need the content. */
  private int users;

  GuardedBuffer(MemoryPool pool, int offset) {
    this.pool = pool;
    this.offset = offset;
  }

  long addr() {
    return pool.region.addr() + offset;
  }

  /** Scatter/gather list of the first bytes, in pieces. */
  List<Sge> sges(int bytes, int pieces) {
    return sges(pool.region.addr() + offset, bytes, pieces, pool.region.lkey());
  }

  /** Scatter/gather list of a range of memory, in pieces of about equal length. */
  static List<Sge> sges(long addr, int bytes, int pieces, int lkey) {
    List<Sge> sges = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      int from = (int) ((long) bytes * i / pieces);
      int to = (int) ((long) bytes * (i + 1) / pieces);
      sges.add(new Sge(addr + from, to - from, lkey));
    }
    return sges;
  }

  /** Allows each byte to be unchanged or as expected from now on. */
  void expect(byte[] data) {
    expected = data;
    users = 1;
  }

  /** Allows the first bytes to have any content from now on. */
  void open(int bytes) {
    openBytes = bytes;
    users = 1;
  }

  void reserve() {
    isReserved = true;
  }

  /** Whether no request needs the content. */
  boolean isFree() {
    return users == 0;
  }

  /** Adds a request that needs the content. */
  void hold() {
    users++;
  }

  /** Removes a user; after the last one the slot is wiped and, unless reserved, free again. */
  void release() {
    users--;
    if (users == 0) {
      expected = null;
      openBytes = 0;
      pool.wipe(offset);
      if (!isReserved) {
        pool.free(this);
      }
    }
  }

  void put(byte[] data) {
    pool.put(offset, data);
  }

  /** Checks that the slot holds exactly this data from an offset on. */
  void assertHolds(int from, byte[] data, String what) {
    byte[] bytes = new byte[data.length];
    pool.buffer.get(offset + from, bytes);
    int wrong = Arrays.mismatch(bytes, data);
    Violation.unless(wrong < 0, "%s: byte %d of %d is wrong", what, wrong, data.length);
  }

  /** Checks that nothing was written from an offset on. */
  void assertUntouchedFrom(int from) {
    openBytes = 0;
    expected = null;
    assertLegal(from);
  }

  /** Checks that each byte from an offset on is unchanged or as expected. */
  void assertLegal(int from) {
    byte[] bytes = new byte[pool.strideBytes()];
    pool.buffer.get(offset, bytes);
    int end = expected == null ? 0 : expected.length;
    for (int i = Math.max(from, openBytes); i < bytes.length; i++) {
      boolean isExpected = i < end && bytes[i] == expected[i];
      if (!isExpected && bytes[i] != MemoryPool.FILL) {
        throw Violation.of(
            "%s: byte %d of the piece at 0x%x was written, which nothing is allowed to do",
            pool.name, i, addr());
      }
    }
  }
}

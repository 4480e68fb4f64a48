// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.Sge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A piece of a {@link MemoryPool} that one work request uses, with a guard after it. */
final class GuardedBuffer {
  private final MemoryPool pool;
  private final int offset;

  /** Bytes that are to arrive here; null if nothing is known of them. */
  private byte[] expected;

  /** How many bytes may be anything, because something unknown may arrive. */
  private int openBytes;

  /** Whether it is for one purpose only. */
  private boolean isReserved;

  /** Requests that still need what is here. */
  private int users;

  GuardedBuffer(MemoryPool pool, int offset) {
    this.pool = pool;
    this.offset = offset;
  }

  long addr() {
    return pool.region.addr() + offset;
  }

  /** The first bytes, cut into pieces. */
  List<Sge> sges(int bytes, int pieces) {
    return sges(pool.region.addr() + offset, bytes, pieces, pool.region.lkey());
  }

  /** A range of memory, cut into pieces of about the same length. */
  static List<Sge> sges(long addr, int bytes, int pieces, int lkey) {
    List<Sge> sges = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      int from = (int) ((long) bytes * i / pieces);
      int to = (int) ((long) bytes * (i + 1) / pieces);
      sges.add(new Sge(addr + from, to - from, lkey));
    }
    return sges;
  }

  /** Lets each byte be as before or as expected from now on. */
  void expect(byte[] data) {
    expected = data;
    users = 1;
  }

  /** Lets so many bytes be anything from now on. */
  void open(int bytes) {
    openBytes = bytes;
    users = 1;
  }

  void reserve() {
    isReserved = true;
  }

  /** Whether no request needs what is here. */
  boolean isFree() {
    return users == 0;
  }

  /** Notes another request that needs the content. */
  void hold() {
    users++;
  }

  /** Notes that a request does not need it any more; after the last one it is wiped and free. */
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

  /** Demands exactly this data from some byte on. */
  void assertHolds(int from, byte[] data, String what) {
    byte[] bytes = new byte[data.length];
    pool.buffer.get(offset + from, bytes);
    int wrong = Arrays.mismatch(bytes, data);
    Violation.unless(wrong < 0, "%s: byte %d of %d is wrong", what, wrong, data.length);
  }

  /** Demands that nothing was written from some byte on. */
  void assertUntouchedFrom(int from) {
    openBytes = 0;
    expected = null;
    assertLegal(from);
  }

  /** Demands that each byte from an offset on is untouched or expected. */
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

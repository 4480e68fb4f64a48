// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads and writes the memory of a scatter/gather list as one sequence of bytes. */
public final class ScatterGather {
  private final MemoryTable table;

  public ScatterGather(MemoryTable table) {
    this.table = table;
  }

  /** Bytes of all entries together. */
  public static long lengthOf(List<Sge> sges) {
    long length = 0;
    for (int i = 0; i < sges.size(); i++) {
      length += sges.get(i).length();
    }
    return length;
  }

  /**
   * Checks the bytes of a range of the list. What is not accessed is not looked at: an entry that
   * reaches beyond its region does no harm as long as no byte goes there.
   *
   * @param start offset into the list
   * @param bytes from there on
   * @param right the flag needed, or null if none is
   * @return why the access is refused, or null
   */
  public @Nullable MemoryFault faultOf(
      List<Sge> sges, int domain, long start, long bytes, @Nullable AccessFlag right) {
    long end = start + bytes;
    long entryStart = 0;
    for (int i = 0; i < sges.size() && entryStart < end; i++) {
      Sge sge = sges.get(i);
      long entryEnd = entryStart + sge.length();
      long first = Math.max(start, entryStart);
      long length = Math.min(end, entryEnd) - first;
      if (length > 0) {
        long addr = sge.addr() + (first - entryStart);
        MemoryFault fault = table.localFaultOf(sge.lkey(), domain, addr, length, right);
        if (fault != null) {
          return fault;
        }
      }
      entryStart = entryEnd;
    }
    return null;
  }

  /**
   * Views of the entries that may be accessed as a whole; of a region without bytes there are none.
   */
  public List<Payload> viewsOf(List<Sge> sges, int domain, @Nullable AccessFlag right) {
    List<Payload> views = new ArrayList<>();
    for (Sge sge : sges) {
      boolean isAccessible =
          sge.length() > 0
              && table.localFaultOf(sge.lkey(), domain, sge.addr(), sge.length(), right) == null;
      if (isAccessible && table.hasBytes(sge.lkey())) {
        views.add(table.localView(sge.lkey(), sge.addr(), sge.length()));
      }
    }
    return views;
  }

  /**
   * Copies all bytes of a list for a send with INLINE: own bytes of entries, or what is registered
   * at their addresses, whatever their lkeys say.
   *
   * @param domains which domains are looked into
   * @param length that of the list
   * @return null if some entry is not there; {@link #firstMissing} says which
   */
  public @Nullable Payload copyAnywhere(List<Sge> sges, int length, IntPredicate domains) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    for (Sge sge : sges) {
      if (sge.hasInlineData()) {
        copy.put(sge.inlineData().get());
      } else if (sge.length() > 0) {
        Payload view = viewAnywhere(sge, domains);
        if (view == null) {
          return null;
        }
        view.copyTo(copy, copy.position());
        copy.position(copy.position() + sge.length());
      }
    }
    return new Payload(copy, 0, length);
  }

  /** The first entry whose bytes are nowhere. */
  public Sge firstMissing(List<Sge> sges, IntPredicate domains) {
    return sges.stream()
        .filter(sge -> !sge.hasInlineData() && sge.length() > 0)
        .filter(sge -> viewAnywhere(sge, domains) == null)
        .findFirst()
        .orElseThrow();
  }

  private @Nullable Payload viewAnywhere(Sge sge, IntPredicate domains) {
    return table.viewAnywhere(sge.lkey(), new MemoryRange(sge.addr(), sge.length()), domains);
  }

  /** The bytes of a checked range: a view if one entry holds them all, otherwise a copy. */
  public Payload gather(List<Sge> sges, long offset, int length) {
    if (length == 0) {
      return Payload.EMPTY;
    }
    long entryStart = 0;
    for (int i = 0; i < sges.size(); i++) {
      Sge sge = sges.get(i);
      long within = offset - entryStart;
      if (within < sge.length()) {
        if (within + length <= sge.length()) {
          return table.localView(sge.lkey(), sge.addr() + within, length);
        }
        return copyFrom(sges, offset, length);
      }
      entryStart += sge.length();
    }
    throw new AssertionError("offset " + offset + " is behind the list");
  }

  private Payload copyFrom(List<Sge> sges, long offset, int length) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    forEachPiece(
        sges,
        offset,
        length,
        (lkey, range, at) ->
            table.localView(lkey, range.addr(), (int) range.length()).copyTo(copy, at));
    return new Payload(copy, 0, length);
  }

  /** Writes a payload into a checked range of the list. */
  public void scatter(List<Sge> sges, long offset, Payload payload) {
    if (sges.size() == 1 && !payload.isEmpty()) {
      table.writeLocal(sges.get(0).lkey(), sges.get(0).addr() + offset, payload);
      return;
    }
    forEachPiece(
        sges,
        offset,
        payload.length(),
        (lkey, range, at) ->
            table.writeLocal(
                lkey,
                range.addr(),
                new Payload(payload.buffer(), payload.offset() + at, (int) range.length())));
  }

  /** Writes a 64-bit number, in the byte order of this machine, into a checked range. */
  public void scatterNumber(List<Sge> sges, long value) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    scatter(sges, 0, new Payload(bytes.putLong(0, value), 0, Long.BYTES));
  }

  private interface Piece {
    /** One contiguous piece of memory, and where in the whole range it starts. */
    void visit(int lkey, MemoryRange piece, int at);
  }

  private void forEachPiece(List<Sge> sges, long offset, int length, Piece piece) {
    int done = 0;
    long entryStart = 0;
    for (int i = 0; i < sges.size() && done < length; i++) {
      Sge sge = sges.get(i);
      long within = offset + done - entryStart;
      int count = (int) Math.min(length - done, sge.length() - within);
      if (count > 0) {
        piece.visit(sge.lkey(), new MemoryRange(sge.addr() + within, count), done);
        done += count;
      }
      entryStart += sge.length();
    }
    assert done == length;
  }
}

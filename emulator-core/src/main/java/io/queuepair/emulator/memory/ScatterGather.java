// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
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

  public Staging staging() {
    return table.staging();
  }

  /**
   * Checks a range of the list. Only the bytes of the range count: an entry may exceed its region
   * as long as no byte goes there.
   *
   * @param start offset of the range in the list
   * @param bytes length of the range
   * @param access the flag needed, or null if none is
   * @return why the access is refused, or null
   */
  public @Nullable MemoryFault faultOf(
      SgeArray sges, int domain, long start, long bytes, @Nullable AccessFlag access) {
    RefusedEntry refused = firstRefused(sges, domain, start, bytes, access);
    return refused == null ? null : refused.fault;
  }

  /** Describes a refused access: the rule, the bytes that break it, and the memory of their key. */
  public String reasonOf(
      SgeArray sges, int domain, long start, long bytes, @Nullable AccessFlag access) {
    RefusedEntry refused = firstRefused(sges, domain, start, bytes, access);
    return refused == null // Another process may have mapped the memory since the check.
        ? MemoryFault.OUT_OF_RANGE.text()
        : table.localReasonOf(refused.fault, refused.lkey, refused.range);
  }

  /** Part of an entry that may not be accessed. */
  private record RefusedEntry(MemoryFault fault, int lkey, MemoryRange range) {}

  private @Nullable RefusedEntry firstRefused(
      SgeArray sges, int domain, long start, long bytes, @Nullable AccessFlag access) {
    long end = start + bytes;
    long entryStart = 0;
    for (int i = 0; i < sges.size() && entryStart < end; i++) {
      long entryEnd = entryStart + sges.length(i);
      long first = Math.max(start, entryStart);
      long length = Math.min(end, entryEnd) - first;
      if (length > 0) {
        long addr = sges.addr(i) + (first - entryStart);
        MemoryFault fault = table.localFaultOf(sges.lkey(i), domain, addr, length, access);
        if (fault != null) {
          return new RefusedEntry(fault, sges.lkey(i), new MemoryRange(addr, length));
        }
      }
      entryStart = entryEnd;
    }
    return null;
  }

  /** Views of the entries that may be accessed completely, of regions kept in one buffer. */
  public List<Payload> viewsOf(SgeArray sges, int domain, @Nullable AccessFlag access) {
    List<Payload> views = new ArrayList<>();
    for (int i = 0; i < sges.size(); i++) {
      int lkey = sges.lkey(i);
      int length = sges.length(i);
      boolean isAccessible =
          length > 0 && table.localFaultOf(lkey, domain, sges.addr(i), length, access) == null;
      if (isAccessible && table.hasBytes(lkey)) {
        views.add(table.localView(lkey, sges.addr(i), length));
      }
    }
    return views;
  }

  /**
   * Copies all bytes of a list for a send with INLINE: inline bytes of entries, or the registered
   * memory at their addresses, whatever their lkeys are.
   *
   * @param target buffer with room for all bytes, filled from its start
   * @param domains protection domains to search
   * @return false if an entry is in no region; {@link #firstMissing} finds it
   */
  public boolean copyAnywhere(SgeArray sges, ByteBuffer target, IntPredicate domains) {
    int at = 0;
    for (int i = 0; i < sges.size(); i++) {
      if (sges.isOwn(i)) {
        sges.copyOwn(i, target, at);
      } else if (sges.length(i) > 0) {
        Payload view = viewAnywhere(sges, i, domains);
        if (view == null) {
          return false;
        }
        view.copyTo(target, at);
      }
      at += sges.length(i);
    }
    return true;
  }

  /** Index of the first entry that is in no region. */
  public int firstMissing(SgeArray sges, IntPredicate domains) {
    for (int i = 0; i < sges.size(); i++) {
      boolean isMemory = !sges.isOwn(i) && sges.length(i) > 0;
      if (isMemory && viewAnywhere(sges, i, domains) == null) {
        return i;
      }
    }
    throw new AssertionError("every entry is there");
  }

  private @Nullable Payload viewAnywhere(SgeArray sges, int index, IntPredicate domains) {
    MemoryRange range = new MemoryRange(sges.addr(index), sges.length(index));
    return table.viewAnywhere(sges.lkey(index), range, domains);
  }

  /** Bytes of a checked range: a view if one entry holds them all, otherwise a copy. */
  public Payload gather(SgeArray sges, long offset, int length) {
    if (length == 0) {
      return Payload.EMPTY;
    }
    long entryStart = 0;
    for (int i = 0; i < sges.size(); i++) {
      long within = offset - entryStart;
      if (within < sges.length(i)) {
        if (within + length <= sges.length(i)) {
          return table.localView(sges.lkey(i), sges.addr(i) + within, length);
        }
        return copyFrom(sges, offset, length);
      }
      entryStart += sges.length(i);
    }
    throw new AssertionError("offset " + offset + " is behind the list");
  }

  /** Sets the bytes of a checked range as a packet's payload, as {@link #gather} does. */
  public void show(SgeArray sges, long offset, int length, MutablePacket packet) {
    if (sges.size() == 1 && length > 0) {
      table.showLocal(sges.lkey(0), sges.addr(0) + offset, length, packet);
    } else {
      packet.setPayload(gather(sges, offset, length));
    }
  }

  /** Whether an entry of the list is memory of another process, which has to be staged. */
  public boolean isOfProcess(SgeArray sges) {
    if (!table.staging().isOpen()) {
      return false;
    }
    for (int i = 0; i < sges.size(); i++) {
      if (!sges.isOwn(i) && table.isLocalOfProcess(sges.lkey(i))) {
        return true;
      }
    }
    return false;
  }

  /** Stages a checked range of a list; false if some of it is not mapped. */
  public boolean stage(SgeArray sges, StagedRange range, long offset, int length) {
    int at = table.staging().take(range, offset, length);
    int done = 0;
    long entryStart = 0;
    for (int i = 0; i < sges.size() && done < length; i++) {
      long within = offset + done - entryStart;
      int count = (int) Math.min(length - done, sges.length(i) - within);
      if (count > 0) {
        if (!table.stageLocal(sges.lkey(i), sges.addr(i) + within, count, at + done)) {
          range.clear();
          return false;
        }
        done += count;
      }
      entryStart += sges.length(i);
    }
    return true;
  }

  private Payload copyFrom(SgeArray sges, long offset, int length) {
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
  public void scatter(SgeArray sges, long offset, Payload payload) {
    if (sges.size() == 1 && !payload.isEmpty()) {
      table.writeLocal(sges.lkey(0), sges.addr(0) + offset, payload);
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
  public void scatterNumber(SgeArray sges, long value) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    scatter(sges, 0, new Payload(bytes.putLong(0, value), 0, Long.BYTES));
  }

  private interface Piece {
    /** Visits one contiguous piece of memory, at offset {@code at} of the whole range. */
    void visit(int lkey, MemoryRange range, int at);
  }

  private void forEachPiece(SgeArray sges, long offset, int length, Piece piece) {
    int done = 0;
    long entryStart = 0;
    for (int i = 0; i < sges.size() && done < length; i++) {
      long within = offset + done - entryStart;
      int count = (int) Math.min(length - done, sges.length(i) - within);
      if (count > 0) {
        piece.visit(sges.lkey(i), new MemoryRange(sges.addr(i) + within, count), done);
        done += count;
      }
      entryStart += sges.length(i);
    }
    assert done == length;
  }
}

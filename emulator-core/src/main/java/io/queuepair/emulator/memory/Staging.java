// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Copies between a device and the memory of other processes. Bytes read go into a ring, which
 * packets refer to. Writes are gathered, and executed before a completion, a response or a read, at
 * the latest at the end of a step. Used under the lock of the device.
 */
public final class Staging {
  public static final int READ_AHEAD_BYTES = 64 << 10;

  /** Bytes of the ring, few enough to stay in the cache of a processor. */
  static final int RING_BYTES = 8 << 20;

  /** Maximum bytes that wait to be written. */
  static final int MAX_GATHERED_BYTES = 256 << 10;

  static final int MAX_PIECES = 512;

  private static final int CACHE_LINE_BYTES = 64;

  /** Alignment of the ring: copies to other addresses take up to twice the time. */
  private static final int PAGE_BYTES = 4096;

  /** Bytes of an aligned word, the most that becomes visible at once. */
  private static final int WORD_BYTES = Long.BYTES;

  /** Owner of messages being written, notified if a write fails. */
  public interface Writer {
    /**
     * Called when some bytes of a message are for unmapped memory; its remaining bytes are not
     * written.
     *
     * @param message number passed to {@link Staging#begin}
     * @return whether later messages of the writer are not to be written either
     */
    boolean unwritten(long message);

    /** Called once for each {@link Staging#completeAfterWrite}, in the order of these calls. */
    default void completeNext() {}
  }

  /** Copies the ring bytes of packets in flight, before the ring is reused. */
  private final Runnable beforeReuse;

  /** Ring, then bytes copied for writes; null until memory of a process is registered. */
  private @Nullable ByteBuffer buffer;

  private @Nullable ByteBuffer pieces;
  private int next;

  /** Number of the current round of the ring; bytes staged in an earlier round are gone. */
  private int round = 1;

  private @Nullable ProcessAccess[] processes = {};
  private @Nullable Writer[] writers = {};
  private long[] messages = {};
  private int count;
  private int gatheredBytes;

  /** Bytes after the ring that are in use until the next {@link #flush}. */
  private int copiedBytes;

  private @Nullable Writer writer;
  private long message;

  /** Whether the last word of the next write is written last. */
  private boolean endsWrite;

  /** Whether writes are ignored until {@link #begin}: bytes before them were not mapped. */
  private boolean isDropping;

  private boolean hasFailed;

  /** Owners of messages that complete once the gathered bytes are written, one for each message. */
  private final Queue<Writer> completing = new ArrayDeque<>();

  /**
   * Creates a staging without buffers, which {@link #open} allocates.
   *
   * @param beforeReuse copies the ring bytes of packets in flight
   */
  public Staging(Runnable beforeReuse) {
    this.beforeReuse = beforeReuse;
  }

  /** Allocates the buffers when memory of a process is registered. */
  void open() {
    if (buffer == null) {
      int bytes = RING_BYTES + MAX_GATHERED_BYTES + PAGE_BYTES;
      buffer =
          ByteBuffer.allocateDirect(bytes).alignedSlice(PAGE_BYTES).order(ByteOrder.nativeOrder());
      pieces =
          ByteBuffer.allocateDirect(MAX_PIECES * ProcessAccess.PIECE_BYTES)
              .order(ByteOrder.nativeOrder());
      processes = new ProcessAccess[MAX_PIECES];
      writers = new Writer[MAX_PIECES];
      messages = new long[MAX_PIECES];
    }
  }

  /** Whether memory of a process was ever registered. */
  public boolean isOpen() {
    return buffer != null;
  }

  /** Buffer with the staged bytes; null before {@link #open}. */
  public @Nullable ByteBuffer buffer() {
    return buffer;
  }

  /** Whether bytes of a message are staged, from an offset on. */
  public boolean holds(StagedRange range, long offset, int bytes) {
    return range.round == round
        && offset >= range.offset
        && offset + bytes <= range.offset + range.bytes;
  }

  public Payload payload(StagedRange range, long offset, int bytes) {
    return new Payload(buffer, range.atOffset(offset), bytes);
  }

  /** Sets staged bytes of a message as the payload of a packet. */
  public void show(StagedRange range, long offset, int bytes, MutablePacket packet) {
    packet.setPayload(buffer, range.atOffset(offset), bytes);
  }

  /** Reserves a part of the ring for bytes of a message from an offset on; returns its position. */
  int take(StagedRange range, long offset, int bytes) {
    int at = room(bytes);
    range.offset = offset;
    range.bytes = bytes;
    range.at = at;
    range.round = round;
    return at;
  }

  /** Copies the known bytes of a message into the ring, if at most {@link #READ_AHEAD_BYTES}. */
  public void keep(StagedRange range, Payload payload) {
    if (!payload.isEmpty() && payload.length() <= READ_AHEAD_BYTES) {
      payload.copyTo(buffer, take(range, 0, payload.length()));
    }
  }

  private int room(int bytes) {
    assert bytes <= RING_BYTES;
    if (next + bytes > RING_BYTES) {
      flush();
      beforeReuse.run();
      next = 0;
      round++;
    }
    int at = next;
    next += (bytes + CACHE_LINE_BYTES - 1) & -CACHE_LINE_BYTES;
    return at;
  }

  /** Reads memory of a process into the buffer; false if some of it is not mapped. */
  boolean read(ProcessAccess process, long address, int at, int bytes) {
    flush();
    return process.read(address, buffer, at, bytes);
  }

  /** Reads a 64-bit number into the area after the ring; its position, or -1 if not mapped. */
  int readNumber(ProcessAccess process, long address) {
    flush();
    return process.read(address, buffer, RING_BYTES, Long.BYTES) ? RING_BYTES : -1;
  }

  /**
   * Sets the message that the next writes belong to.
   *
   * @param newWriter notified if some bytes cannot be written
   * @param newMessage number of the message
   * @param newEndsWrite whether the end of an RDMA WRITE is written next, whose last word must
   *     become visible last
   */
  public void begin(Writer newWriter, long newMessage, boolean newEndsWrite) {
    writer = newWriter;
    message = newMessage;
    endsWrite = newEndsWrite;
    isDropping = false;
  }

  /** Gathers bytes to be written; staged ones must not change before {@link #flush}. */
  void write(ProcessAccess process, long address, Payload payload) {
    int length = payload.length();
    if (length > MAX_GATHERED_BYTES - gatheredBytes || count > MAX_PIECES - 2) {
      flush();
    }
    if (isDropping) {
      return;
    }
    int at = isStaged(payload) ? payload.offset() : copied(payload);
    gatheredBytes += length;
    long lastWord = (address + length - 1) & -WORD_BYTES;
    int before = (int) Math.max(0, lastWord - address);
    if (!endsWrite || before == 0) {
      add(process, address, at, length, endsWrite);
    } else {
      add(process, address, at, before, false);
      add(process, lastWord, at + before, length - before, true);
    }
  }

  /**
   * Writes the gathered bytes, before others of the message that go elsewhere at once.
   *
   * @return false if those are to be dropped, as bytes before them were not mapped
   */
  boolean hasWrittenAll() {
    if (isGathering()) {
      flush();
    }
    return !isDropping;
  }

  @SuppressWarnings("ReferenceEquality") // Equal bytes elsewhere are other bytes.
  private boolean isStaged(Payload payload) {
    return payload.buffer() == buffer && payload.offset() < RING_BYTES;
  }

  private int copied(Payload payload) {
    int at = RING_BYTES + copiedBytes;
    copiedBytes += payload.length();
    payload.copyTo(buffer, at);
    return at;
  }

  private void add(ProcessAccess process, long address, int at, int length, boolean standsAlone) {
    if (!standsAlone && continuesLast(process, address, at)) {
      int lengthAt = lengthAt(count - 1);
      pieces.putInt(lengthAt, pieces.getInt(lengthAt) + length);
      return;
    }
    int piece = count * ProcessAccess.PIECE_BYTES;
    pieces.putLong(piece, address);
    pieces.putInt(piece + ProcessAccess.PIECE_OFFSET, at);
    pieces.putInt(piece + ProcessAccess.PIECE_LENGTH, length);
    processes[count] = process;
    writers[count] = writer;
    messages[count] = message;
    count++;
  }

  private boolean continuesLast(ProcessAccess process, long address, int at) {
    int last = count - 1;
    if (count == 0
        || processes[last] != process
        || writers[last] != writer
        || messages[last] != message) {
      return false;
    }
    int piece = last * ProcessAccess.PIECE_BYTES;
    int length = pieces.getInt(piece + ProcessAccess.PIECE_LENGTH);
    return pieces.getLong(piece) + length == address
        && pieces.getInt(piece + ProcessAccess.PIECE_OFFSET) + length == at;
  }

  private static int lengthAt(int index) {
    return index * ProcessAccess.PIECE_BYTES + ProcessAccess.PIECE_LENGTH;
  }

  /** Whether bytes wait to be written, or messages to complete. */
  public boolean isGathering() {
    return count > 0 || !completing.isEmpty();
  }

  /** Lets a writer complete its next message once all bytes gathered so far are written. */
  public void completeAfterWrite(Writer owner) {
    completing.add(owner);
  }

  /**
   * Writes the gathered pieces in order, notifies the writers of those that are not mapped, and
   * lets messages complete.
   */
  public void flush() {
    writeGathered();
    for (Writer owner = completing.poll(); owner != null; owner = completing.poll()) {
      owner.completeNext();
    }
  }

  private void writeGathered() {
    int first = 0;
    while (first < count) {
      ProcessAccess process = processes[first];
      int end = first + 1;
      while (end < count && processes[end] == process) {
        end++;
      }
      int written = process.write(buffer, pieces, first, end - first);
      first += written;
      if (first < end) {
        fail(first);
      }
    }
    count = 0;
    gatheredBytes = 0;
    copiedBytes = 0;
  }

  /** Drops a message's pieces from the unmapped one on, and later messages if so asked. */
  private void fail(int failed) {
    Writer failedWriter = writers[failed];
    long failedMessage = messages[failed];
    boolean endsAll = failedWriter.unwritten(failedMessage);
    isDropping |= failedWriter == writer && (endsAll || failedMessage == message);
    int kept = failed;
    for (int i = failed; i < count; i++) {
      if (writers[i] != failedWriter || !(endsAll || messages[i] == failedMessage)) {
        move(i, kept);
        kept++;
      }
    }
    count = kept;
    hasFailed = true;
  }

  private void move(int from, int to) {
    processes[to] = processes[from];
    writers[to] = writers[from];
    messages[to] = messages[from];
    int source = from * ProcessAccess.PIECE_BYTES;
    pieces.put(to * ProcessAccess.PIECE_BYTES, pieces, source, ProcessAccess.PIECE_BYTES);
  }

  /** Whether a write has failed since the last call. */
  public boolean takeFailed() {
    boolean failed = hasFailed;
    hasFailed = false;
    return failed;
  }
}

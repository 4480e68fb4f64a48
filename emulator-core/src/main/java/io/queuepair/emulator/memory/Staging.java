// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Copies between a device and the memory of other processes. What is read goes into a ring, from
 * which packets carry it. What is written is gathered, and written before a completion, an answer
 * or a read, and at the latest at the end of a step. Under the lock of the device.
 */
public final class Staging {
  /** Bytes that are read at once of a message, at most. */
  public static final int READ_AHEAD_BYTES = 64 << 10;

  /** Stays in the cache of a processor. */
  static final int RING_BYTES = 8 << 20;

  /** Bytes that wait to be written, at most. */
  static final int MAX_GATHERED_BYTES = 256 << 10;

  static final int MAX_PIECES = 512;

  private static final int CACHE_LINE_BYTES = 64;

  /** Only a word that is aligned becomes visible at once. */
  private static final int WORD_BYTES = Long.BYTES;

  /** Whose messages are written. */
  public interface Writer {
    /**
     * Some bytes of a message had no place, so that none of its other ones are written.
     *
     * @param message number that was given to it
     * @return whether its later messages are not to be written either
     */
    boolean unwritten(long message);
  }

  /** Copies what packets on their way show of the ring, which is used again. */
  private final Runnable beforeReuse;

  /** The ring, followed by bytes that are not staged; null until there is a process. */
  private @Nullable ByteBuffer buffer;

  private @Nullable ByteBuffer pieces;
  private int next;

  /** Counts the rounds of the ring: what was staged in an earlier one is gone. */
  private int round = 1;

  private @Nullable ProcessAccess[] processes = {};
  private @Nullable Writer[] writers = {};
  private long[] messages = {};
  private int count;
  private int gatheredBytes;

  /** Bytes behind the ring that are in use until the next flush. */
  private int copiedBytes;

  private @Nullable Writer writer;
  private long message;

  /** Whether the last word of what is written next is written last. */
  private boolean endsWrite;

  private boolean hasFailed;

  /**
   * Without memory, until there is a process.
   *
   * @param beforeReuse copies what packets on their way show of the ring
   */
  public Staging(Runnable beforeReuse) {
    this.beforeReuse = beforeReuse;
  }

  /** Memory of a process is registered. */
  void open() {
    if (buffer == null) {
      int bytes = RING_BYTES + MAX_GATHERED_BYTES;
      buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
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

  /** Where staged bytes are, or null. */
  public @Nullable ByteBuffer buffer() {
    return buffer;
  }

  /** Whether a part of a message is staged, from an offset on. */
  public boolean holds(StagedRange range, long offset, int bytes) {
    return range.round == round
        && offset >= range.offset
        && offset + bytes <= range.offset + range.bytes;
  }

  /** Bytes of a message that are staged. */
  public Payload payload(StagedRange range, long offset, int bytes) {
    return new Payload(buffer, range.atOffset(offset), bytes);
  }

  /** Lets a packet carry bytes of a message that are staged. */
  public void show(StagedRange range, long offset, int bytes, MutablePacket packet) {
    packet.setPayload(buffer, range.atOffset(offset), bytes);
  }

  /** Takes a part of the ring for bytes of a message from an offset on, to be filled. */
  int take(StagedRange range, long offset, int bytes) {
    int at = room(bytes);
    range.offset = offset;
    range.bytes = bytes;
    range.at = at;
    range.round = round;
    return at;
  }

  /** Stages a message whose bytes are known, as long as the ring has them. */
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

  /** Reads a number of 64 bits into the part of the buffer that the next flush frees. */
  int readNumber(ProcessAccess process, long address) {
    flush();
    return process.read(address, buffer, RING_BYTES, Long.BYTES) ? RING_BYTES : -1;
  }

  /**
   * What is written from now on belongs to a message.
   *
   * @param newWriter learns it if some of it cannot be written
   * @param newMessage its number
   * @param newEndsWrite whether the end of an RDMA WRITE is written next, whose last word is to be
   *     visible last
   */
  public void begin(Writer newWriter, long newMessage, boolean newEndsWrite) {
    writer = newWriter;
    message = newMessage;
    endsWrite = newEndsWrite;
  }

  /** Gathers bytes, which the caller leaves alone until they are written if they are staged. */
  void write(ProcessAccess process, long address, Payload payload) {
    int length = payload.length();
    if (length > MAX_GATHERED_BYTES - gatheredBytes || count > MAX_PIECES - 2) {
      flush();
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

  /** Writes what was gathered, in order; the writers of what has no place learn it. */
  public void flush() {
    if (count == 0) {
      return;
    }
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

  /**
   * Leaves out all pieces of a message, and possibly of later ones, from the one on that has no
   * place.
   */
  private void fail(int failed) {
    Writer failedWriter = writers[failed];
    long failedMessage = messages[failed];
    boolean endsAll = failedWriter.unwritten(failedMessage);
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

  /** Whether some bytes had no place since the last call. */
  public boolean takeFailed() {
    boolean failed = hasFailed;
    hasFailed = false;
    return failed;
  }
}

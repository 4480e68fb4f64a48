// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.memory.ProcessAccess;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The memory of an attached program, by the descriptor that it has passed; large copies by the
 * number of its process, where that is allowed.
 */
final class ProgramAccess implements ProcessAccess {
  /** How long a copy may take before it is a stall. */
  static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final int descriptor;
  private int process;
  private int isForced;

  /** Number of the copy that is under way, or 0; where several threads copy, of one of them. */
  private volatile long copy;

  private long copies;
  private long address;

  /** The copy that was seen under way, since when, and whether its stall was said. */
  private long seen;

  private long seenNanos;
  private boolean isSaid = true;

  /** Null unless the program has one. */
  private Shadow shadow;

  /**
   * Keeps the descriptor.
   *
   * @param descriptor of the memory
   * @param process as this process sees it, or 0
   * @param isForced whether memory that the program has protected is accessible; if not, only its
   *     number can be used, where that is allowed
   */
  ProgramAccess(int descriptor, int process, boolean isForced) {
    this.descriptor = descriptor;
    this.process = Kernel.isReachable(process) == 0 ? 0 : process;
    this.isForced = isForced || this.process == 0 ? 1 : 0;
  }

  /** Uses the number of the process no more, which has ended: another may get it. */
  void forgetProcess() {
    process = 0;
    isForced = 1;
  }

  /** Reports from now on what a shadow forbids. */
  void watch(Shadow newShadow) {
    shadow = newShadow;
  }

  /**
   * Whether a copy takes longer than {@link #STALL_NANOS}, once; asked by one thread, more often
   * than that.
   */
  boolean hasStalled(long nowNanos) {
    long present = copy;
    if (present != seen) {
      seen = present;
      seenNanos = nowNanos;
      isSaid = present == 0;
    }
    boolean hasStalled = !isSaid && nowNanos - seenNanos >= STALL_NANOS;
    isSaid |= hasStalled;
    return hasStalled;
  }

  /** Where the last copy begins. */
  long address() {
    return address;
  }

  @Override
  public boolean read(long address, ByteBuffer target, int at, int length) {
    if (shadow != null) {
      shadow.check(Protocol.STRAY_READ, address, length);
    }
    begin(address);
    int isDone = Kernel.readMemory(descriptor, process, isForced, address, target, at, length);
    copy = 0;
    return isDone != 0;
  }

  private void begin(long first) {
    address = first;
    copy = ++copies;
  }

  @Override
  public int write(ByteBuffer source, ByteBuffer pieces, int first, int count) {
    for (int i = first; shadow != null && i < first + count; i++) {
      int piece = i * PIECE_BYTES;
      shadow.check(
          Protocol.STRAY_WRITE, pieces.getLong(piece), pieces.getInt(piece + PIECE_LENGTH));
    }
    begin(pieces.getLong(first * PIECE_BYTES));
    int done = Kernel.writeMemory(descriptor, process, isForced, source, pieces, first, count);
    copy = 0;
    return done;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.memory.ProcessAccess;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Access to the memory of an attached program, by the descriptor that it has passed; for large
 * copies by process_vm_readv(2) and process_vm_writev(2), where allowed.
 */
final class ProgramAccess implements ProcessAccess {
  /** Time after which a copy counts as stalled. */
  static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final int descriptor;
  private int process;
  private int isForced;

  /** Number of the copy in progress, or 0; if several threads copy, of one of them. */
  private volatile long copy;

  private long copies;
  private long address;

  /** Copy last seen in progress, since when, and whether its stall was reported. */
  private long seen;

  private long seenNanos;
  private boolean isSaid = true;

  /** Null unless the program has an AddressSanitizer. */
  private Shadow shadow;

  /**
   * Uses a descriptor, which stays the caller's.
   *
   * @param descriptor of the program's memory
   * @param process process id as this process sees it, or 0
   * @param isForced whether memory that the program has protected is accessible; if not, only the
   *     process id is used, where allowed
   */
  ProgramAccess(int descriptor, int process, boolean isForced) {
    this.descriptor = descriptor;
    this.process = Kernel.isReachable(process) == 0 ? 0 : process;
    this.isForced = isForced || this.process == 0 ? 1 : 0;
  }

  /** Stops using the process id: the process has ended, and another may get the id. */
  void forgetProcess() {
    process = 0;
    isForced = 1;
  }

  /** Checks accesses against a shadow from now on. */
  void watch(Shadow newShadow) {
    shadow = newShadow;
  }

  /**
   * Whether the present copy takes longer than {@link #STALL_NANOS}, and not for lack of a
   * processor; true once for each copy. Called by one thread, at shorter intervals.
   */
  boolean hasStalled(long nowNanos, BooleanSupplier isCopierWaiting) {
    long present = copy;
    if (present != seen) {
      seen = present;
      seenNanos = nowNanos;
      isSaid = present == 0;
    }
    boolean hasStalled =
        !isSaid && nowNanos - seenNanos >= STALL_NANOS && isCopierWaiting.getAsBoolean();
    isSaid |= hasStalled;
    return hasStalled;
  }

  /** First address of the last copy. */
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

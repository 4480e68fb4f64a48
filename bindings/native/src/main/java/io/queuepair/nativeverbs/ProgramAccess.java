// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.memory.ProcessAccess;
import java.nio.ByteBuffer;

/**
 * The memory of an attached program, by the descriptor that it has passed; large copies by the
 * number of its process, where that is allowed.
 */
final class ProgramAccess implements ProcessAccess {
  private final int descriptor;
  private final int process;
  private final int isForced;

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

  /** Reports from now on what a shadow forbids. */
  void watch(Shadow newShadow) {
    shadow = newShadow;
  }

  @Override
  public boolean read(long address, ByteBuffer target, int at, int length) {
    if (shadow != null) {
      shadow.check(Protocol.STRAY_READ, address, length);
    }
    return Kernel.readMemory(descriptor, process, isForced, address, target, at, length) != 0;
  }

  @Override
  public int write(ByteBuffer source, ByteBuffer pieces, int first, int count) {
    for (int i = first; shadow != null && i < first + count; i++) {
      int piece = i * PIECE_BYTES;
      shadow.check(
          Protocol.STRAY_WRITE, pieces.getLong(piece), pieces.getInt(piece + PIECE_LENGTH));
    }
    return Kernel.writeMemory(descriptor, process, isForced, source, pieces, first, count);
  }
}

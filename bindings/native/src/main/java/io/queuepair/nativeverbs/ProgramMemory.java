// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;

/** Memory of the program, where it is. */
final class ProgramMemory {
  private static final int PAGE_MASK = 4095;

  /** The longest range that is a buffer wherever in a page it begins. */
  static final long MAX_BYTES = Integer.MAX_VALUE - PAGE_MASK;

  private ProgramMemory() {}

  /**
   * A range of memory, as a buffer whose position is as far into a page as the first byte.
   *
   * @return null at address 0
   * @throws VerbsException ENOMEM if no buffer is so long
   */
  static ByteBuffer at(long address, long bytes) {
    if (address == 0) {
      return null;
    }
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new VerbsException(
          Errno.ENOMEM,
          "ibv_reg_mr",
          bytes + " bytes are more than the " + MAX_BYTES + " of one region");
    }
    int position = (int) address & PAGE_MASK;
    return NativeCallbacks.memoryAt(address - position, bytes + position).position(position);
  }
}

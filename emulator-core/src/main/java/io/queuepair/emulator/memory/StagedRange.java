// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

/**
 * Staged part of a message and its position in the ring; {@link Staging#holds} tells whether the
 * ring still has it.
 */
public final class StagedRange {
  long offset;
  int bytes;
  int at;
  int round;

  /** Position in the ring of the bytes of the message from an offset on. */
  int atOffset(long from) {
    return at + (int) (from - offset);
  }

  /** Marks nothing as staged. */
  public void clear() {
    round = 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

/** Which part of a message is staged, and where: it may be gone, which {@link Staging} knows. */
public final class StagedRange {
  long offset;
  int bytes;
  int at;
  int round;

  /** Where the bytes of a message are, from an offset on. */
  int atOffset(long from) {
    return at + (int) (from - offset);
  }

  /** Nothing is staged any more. */
  public void clear() {
    round = 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.util.List;

/**
 * Choices made by the bytes of a fuzzer. Each line is a step of a target; a line that is used up
 * gives zeros, so that bytes put in or left out change one step only.
 */
final class FuzzInput {
  private final byte[] bytes;
  private int at;
  private int end = -1;

  FuzzInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Begins the next step; false if there is none. */
  boolean next() {
    at = end + 1;
    for (end = at; end < bytes.length && bytes[end] != '\n'; ) {
      end++;
    }
    return at < bytes.length;
  }

  /** An unsigned number of so many bytes, big-endian. */
  long number(int count) {
    long number = 0;
    for (int i = 0; i < count; i++) {
      number = number << 8 | (at < end ? Byte.toUnsignedInt(bytes[at++]) : 0);
    }
    return number;
  }

  /** 0 to one less than the bound. */
  int below(int bound) {
    return (int) (number(bound > 256 ? 2 : 1) % bound);
  }

  <T> T one(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}

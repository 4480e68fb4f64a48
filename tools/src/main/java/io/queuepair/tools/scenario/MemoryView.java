// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;
import java.util.stream.Stream;

/**
 * A memory region or window at one moment, as it is shown.
 *
 * @param length how long its buffer is; 0 if its bytes are not shown
 * @param written what has been written since the moment before
 * @param read what has been read since then for a peer
 * @param toSend what was posted since then and will be sent
 * @param toReceive what was posted since then for data that comes
 */
record MemoryView(
    String name,
    String text,
    int length,
    List<Bytes> written,
    List<Bytes> read,
    List<Bytes> toSend,
    List<Bytes> toReceive) {
  /** View of a window, or of memory that is not looked at. */
  static MemoryView withoutBytes(String name, String text) {
    return new MemoryView(name, text, 0, List.of(), List.of(), List.of(), List.of());
  }

  /** Whether a request used it, or will. */
  boolean isUsed() {
    return Stream.of(written, read, toSend, toReceive).anyMatch(bytes -> !bytes.isEmpty());
  }

  /**
   * Bytes that are different from before, were read, or belong to a request.
   *
   * @param hex the first of them
   */
  record Bytes(int offset, int length, String hex) {}
}

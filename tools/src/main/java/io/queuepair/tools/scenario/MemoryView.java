// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;
import java.util.stream.Stream;

/**
 * Display of a memory region or window at one moment.
 *
 * @param length of the buffer; 0 if its bytes are not shown
 * @param written bytes written since the previous moment
 * @param read bytes read for a peer since then
 * @param toSend bytes of sends posted since then
 * @param toReceive bytes that requests posted since then will fill
 */
record MemoryView(
    String name,
    String text,
    int length,
    List<Bytes> written,
    List<Bytes> read,
    List<Bytes> toSend,
    List<Bytes> toReceive) {
  /** View of a window, or of memory whose content is not shown. */
  static MemoryView withoutBytes(String name, String text) {
    return new MemoryView(name, text, 0, List.of(), List.of(), List.of(), List.of());
  }

  /** Whether a request has used the memory, or will use it. */
  boolean isUsed() {
    return Stream.of(written, read, toSend, toReceive).anyMatch(bytes -> !bytes.isEmpty());
  }

  /**
   * Range of bytes that has changed, was read, or belongs to a request.
   *
   * @param hex the first bytes of the range
   */
  record Bytes(int offset, int length, String hex) {}
}

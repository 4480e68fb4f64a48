// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/** Memory that has a key: a region or a window. */
sealed interface KeyedMemory permits RegisteredMemory, MemoryWindowState {
  /** The key that names it now. */
  int key();

  /** All that the key opens, as peers address it. */
  MemoryRange fullRange();

  /**
   * Checks an access of a peer.
   *
   * @param access the flag needed
   * @return why it is refused, or null
   */
  @Nullable MemoryFault faultOf(AccessContext accessor, MemoryRange range, AccessFlag access);

  /** Range and rights as a clause behind a semicolon; empty if it has none. */
  String description();

  /** A view of a range that was checked. */
  Payload view(long start, int length);

  /** Lets a packet carry a view of a range that was checked. */
  void show(long start, int length, MutablePacket packet);

  /** Puts bytes into a range that was checked. */
  void write(long start, Payload payload);

  /** The memory of another process that it is or opens, or null. */
  @Nullable ProcessMemory process();

  /** Where an address is in that process; only if there is one. */
  long processAddress(long start);
}

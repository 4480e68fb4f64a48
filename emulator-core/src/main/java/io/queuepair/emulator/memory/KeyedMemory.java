// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/** Memory with a key: a region or a window. */
sealed interface KeyedMemory permits RegisteredMemory, MemoryWindowState {
  /** Current rkey. */
  int key();

  /** Whole range that the key covers, in addresses of peers. */
  MemoryRange fullRange();

  /**
   * Checks an access of a peer.
   *
   * @param access the flag needed
   * @return why it is refused, or null
   */
  @Nullable MemoryFault faultOf(AccessContext accessor, MemoryRange range, AccessFlag access);

  /** Range and rights as a clause that starts with a semicolon; empty for an unbound window. */
  String description();

  /** View of a range that was checked. */
  Payload view(long start, int length);

  /** Sets a view of a checked range as the payload of a packet. */
  void show(long start, int length, MutablePacket packet);

  /** Writes to a checked range. */
  void write(long start, Payload payload);

  /** Memory of another process behind the key, or null. */
  @Nullable ProcessMemory process();

  /** Address in that process of an address of peers; only if {@link #process} is not null. */
  long processAddress(long start);
}

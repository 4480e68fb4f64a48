// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Results of the last READs, atomics and other requests with a response, at most
 * max_dest_rd_atomic, so that a duplicate is answered again and never executed twice.
 */
final class ResponderResourceCache {
  /**
   * Request and its answer.
   *
   * @param packet request; a READ may be repeated from some packet on
   * @param original value in memory before an atomic; 0 for other operations
   * @param read READ response, which is empty for ATOMIC_WRITE and FLUSH; null for an atomic
   */
  record SavedResult(Packet packet, long original, @Nullable ReadResponse read) {
    boolean answers(Packet repeatedPacket) {
      if (repeatedPacket.opcode().operation() != operation()) {
        return false;
      }
      return operation() == Operation.RDMA_READ_REQUEST
          ? read.covers(repeatedPacket.psn(), repeatedPacket.reth())
          : Psn.compare(repeatedPacket.psn(), packet.psn()) == 0;
    }

    /** Copy without the payload, which a repeat does not need. */
    SavedResult retained() {
      return new SavedResult(packet.withoutPayload(), original, read);
    }

    private Operation operation() {
      return packet.opcode().operation();
    }
  }

  /** Saved results, oldest first; null while there are none. */
  private @Nullable Deque<SavedResult> savedResults;

  void remember(SavedResult saved, int limit) {
    if (savedResults == null) {
      savedResults = new ArrayDeque<>(1);
    }
    while (savedResults.size() >= limit) {
      savedResults.removeFirst();
    }
    savedResults.addLast(saved);
  }

  /** Saved result of a duplicate request, or null. */
  @Nullable SavedResult find(Packet repeatedPacket) {
    if (savedResults == null) {
      return null;
    }
    for (SavedResult saved : savedResults) {
      if (saved.answers(repeatedPacket)) {
        return saved;
      }
    }
    return null;
  }

  void clear() {
    savedResults = null;
  }
}

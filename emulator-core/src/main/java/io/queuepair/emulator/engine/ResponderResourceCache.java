// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Results of the last READ and atomic requests, so that a repeated one is answered again and never
 * executed twice; as many as may be outstanding.
 */
final class ResponderResourceCache {
  /**
   * One request and its answer.
   *
   * @param packet the request; a READ may be asked for again from some packet on
   * @param original the value that an atomic found; 0 for other operations
   * @param read the response to a READ, otherwise null
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

    /** A copy that can be kept. The payload will not be executed again anyway. */
    SavedResult retained() {
      return new SavedResult(packet.withoutPayload(), original, read);
    }

    private Operation operation() {
      return packet.opcode().operation();
    }
  }

  /** Null while there is none. */
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

  /** Finds the result of a request with an old PSN, or null. */
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

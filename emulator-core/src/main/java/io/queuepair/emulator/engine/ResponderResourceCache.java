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
    boolean answers(Packet repeated) {
      if (repeated.opcode().operation() != operation()) {
        return false;
      }
      return operation() == Operation.RDMA_READ_REQUEST
          ? read.covers(repeated.psn(), repeated.reth())
          : Psn.compare(repeated.psn(), packet.psn()) == 0;
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
  private @Nullable Deque<SavedResult> accepted;

  void remember(SavedResult saved, int limit) {
    if (accepted == null) {
      accepted = new ArrayDeque<>(1);
    }
    while (accepted.size() >= limit) {
      accepted.removeFirst();
    }
    accepted.addLast(saved);
  }

  /** Finds the result of a request with an old PSN, or null. */
  @Nullable SavedResult find(Packet repeated) {
    if (accepted == null) {
      return null;
    }
    for (SavedResult saved : accepted) {
      if (saved.answers(repeated)) {
        return saved;
      }
    }
    return null;
  }

  void clear() {
    accepted = null;
  }
}

package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Reth;
import java.util.ArrayDeque;
import java.util.Deque;

/** The READs last accepted, so that a repeated one is recognised; as many as may be outstanding. */
final class ReadHistory {
  private final Deque<ReadReply> accepted = new ArrayDeque<>();

  void remember(ReadReply reply, int limit) {
    while (accepted.size() >= limit) {
      accepted.removeFirst();
    }
    accepted.addLast(reply);
  }

  /** Whether a READ with an old PSN repeats one of these, wholly or from some packet on. */
  boolean knows(int psn, Reth reth) {
    for (ReadReply reply : accepted) {
      if (reply.covers(psn, reth)) {
        return true;
      }
    }
    return false;
  }

  void clear() {
    accepted.clear();
  }
}

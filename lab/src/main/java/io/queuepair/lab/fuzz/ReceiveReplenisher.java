// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Keeps receives posted; the {@code wr_id} of each is its index. */
final class ReceiveReplenisher {
  private final Consumer<RecvWr> queue;
  private final List<RecvWr> receives;

  /** Whether the queue is that of several, which outlives a RESET. */
  private final boolean isShared;

  private final Deque<RecvWr> unused = new ArrayDeque<>();

  ReceiveReplenisher(Consumer<RecvWr> queue, List<RecvWr> receives, boolean isShared) {
    this.queue = queue;
    this.receives = receives;
    this.isShared = isShared;
    unused.addAll(receives);
  }

  void revived() {
    if (!isShared) {
      unused.clear();
      unused.addAll(receives);
    }
  }

  void topUp() {
    while (!unused.isEmpty()) {
      queue.accept(unused.removeFirst());
    }
  }

  void completed(WorkCompletion completion) {
    RecvWr receive = receives.get((int) completion.wrId());
    boolean isMessage = completion.isSuccess() && completion.opcode() == WcOpcode.RECV;
    Violation.unless(
        !isMessage || completion.byteLen() <= receive.sgList().get(0).length(),
        "a receive completed with more bytes than it has room for: %s",
        completion);
    unused.addLast(receive);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SanitizerFindingKind;
import io.queuepair.emulator.queue.CompletionRing;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Detects send and completion queues that will overflow. Each is reported once. */
final class QueueSizingCheck {
  private final FindingLog findingLog;

  /** Number of sends since the last signaled one; never iterated. */
  private final IdentityHashMap<QpContext, Integer> unsignaledByQp = new IdentityHashMap<>();

  /** Completion queues that were reported; never iterated. */
  private final Set<CompletionRing> tooSmallRings =
      Collections.newSetFromMap(new IdentityHashMap<>());

  QueueSizingCheck(FindingLog findingLog) {
    this.findingLog = findingLog;
  }

  void sendPosted(QpContext qp, boolean isSignaled, CallSite callSite) {
    if (isSignaled) {
      unsignaledByQp.remove(qp);
      return;
    }
    int run = unsignaledByQp.merge(qp, 1, Integer::sum);
    int capacity = qp.setup().cap().maxSendWr();
    if (run == capacity) {
      findingLog.add(
          SanitizerFindingKind.SEND_QUEUE_NEVER_RECLAIMED,
          "the last " + run + " sends of QP " + qp.qpn() + ", a whole send queue, are unsignaled",
          callSite);
    }
  }

  void completionExpected(CompletionRing ring, int expected, CallSite callSite) {
    int needed = expected + ring.size();
    if (needed > ring.capacity() && tooSmallRings.add(ring)) {
      findingLog.add(
          SanitizerFindingKind.COMPLETION_QUEUE_TOO_SMALL,
          String.format(
              "a completion queue of %d entries holds %d and expects %d more from posted work",
              ring.capacity(), ring.size(), expected),
          callSite);
    }
  }

  void forget(QpContext qp) {
    unsignaledByQp.remove(qp);
  }

  void forget(CompletionRing ring) {
    tooSmallRings.remove(ring);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.TransmitUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the queue pairs that may have something to send, by deficit round robin: in each round
 * each may send a number of packets and bytes. A queue pair that had nothing to send and has not
 * used up its share goes before those that always have something (RFC 8290, except that a new flow
 * keeps its share).
 */
final class TransmitQueue {
  private final int turnPackets;
  private final int turnBytes;

  /** Queue pairs that had nothing to send a moment ago, and have a share left. */
  private final Deque<QpEngine> freshQps = new ArrayDeque<>();

  /** Queue pairs that had a turn: they get a new share when they come first. */
  private final Deque<QpEngine> waitingQps = new ArrayDeque<>();

  /** The one whose turn it is, or null between two turns. */
  private @Nullable QpEngine currentQp;

  /** Packets and bytes that a queue pair may still send in the present round. */
  static final class RoundQuota {
    private int packets;

    /** The last packet may go beyond them. */
    private int bytes;

    private boolean isFresh;
    private boolean isWaiting;

    private boolean isUsedUp() {
      return packets <= 0 || bytes <= 0;
    }
  }

  TransmitQueue(SendWindowConfig sendWindow) {
    turnPackets = sendWindow.turnPackets();
    turnBytes = sendWindow.turnBytes();
  }

  boolean isEmpty() {
    return currentQp == null && freshQps.isEmpty() && waitingQps.isEmpty();
  }

  /** All that may have something to send, in no particular order. */
  List<QpEngine> all() {
    Set<QpEngine> allQps = new LinkedHashSet<>(freshQps);
    allQps.addAll(waitingQps);
    if (currentQp != null) {
      allQps.add(currentQp);
    }
    return List.copyOf(allQps);
  }

  /** The one whose turn it is; null if no queue pair has anything to send. */
  @Nullable QpEngine first() {
    while (currentQp == null && !isEmpty()) {
      QpEngine next = freshQps.isEmpty() ? nextOfRound() : freshQps.removeFirst();
      next.quota().isFresh = false;
      currentQp = next.hasToSend() ? next : null;
    }
    return currentQp;
  }

  private QpEngine nextOfRound() {
    QpEngine next = waitingQps.removeFirst();
    next.quota().isWaiting = false;
    renew(next.quota());
    return next;
  }

  private void renew(RoundQuota quota) {
    quota.packets = turnPackets;
    quota.bytes = turnBytes;
  }

  /** Puts one among the fresh ones, if it has something to send, and a share left. */
  void join(QpEngine qpEngine) {
    RoundQuota quota = qpEngine.quota();
    if (quota.isFresh || qpEngine == currentQp || !qpEngine.hasToSend()) {
      return;
    }
    if (!quota.isWaiting) {
      renew(quota);
    }
    if (!quota.isUsedUp()) {
      quota.isFresh = true;
      freshQps.addLast(qpEngine);
    }
  }

  /** The first has sent something. To ask it in vain would cost almost as much as another. */
  void firstSent(TransmitUnit unit) {
    RoundQuota quota = currentQp.quota();
    quota.packets--;
    quota.bytes -= unit.payloadBytes();
    if (quota.isUsedUp() || !currentQp.hasToSend()) {
      endTurn();
    }
  }

  /** The first sends nothing for now, even if it has something to send. */
  void firstSentNothing() {
    if (currentQp.quota().packets < turnPackets) {
      endTurn();
    } else {
      currentQp = null;
    }
  }

  /** It waits for the next round even if it has nothing to send, or its share would be renewed. */
  private void endTurn() {
    RoundQuota quota = currentQp.quota();
    if (!quota.isWaiting) {
      quota.isWaiting = true;
      waitingQps.addLast(currentQp);
    }
    currentQp = null;
  }
}

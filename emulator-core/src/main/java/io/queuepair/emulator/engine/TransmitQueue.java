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
 * Schedules queue pairs with something to send by deficit round robin: in each round a queue pair
 * may send a quota of packets and bytes. One that was idle and has quota left goes before those
 * with a backlog (as new flows in RFC 8290, except that a new flow keeps its quota).
 */
final class TransmitQueue {
  private final int turnPackets;
  private final int turnBytes;

  /** Queue pairs that were idle and have quota left. */
  private final Deque<QpEngine> freshQps = new ArrayDeque<>();

  /** Queue pairs that had a turn; each gets a new quota when it comes first. */
  private final Deque<QpEngine> waitingQps = new ArrayDeque<>();

  /** Queue pair whose turn it is; null between turns. */
  private @Nullable QpEngine currentQp;

  /** Packets and bytes that a queue pair may still send in the current round. */
  static final class RoundQuota {
    private int packets;

    /** Bytes left; the last packet may exceed them. */
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

  List<QpEngine> all() {
    Set<QpEngine> allQps = new LinkedHashSet<>(freshQps);
    allQps.addAll(waitingQps);
    if (currentQp != null) {
      allQps.add(currentQp);
    }
    return List.copyOf(allQps);
  }

  /** Queue pair whose turn it is; null if none has anything to send. */
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

  /** Adds a queue pair to {@link #freshQps} if it has something to send and quota left. */
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

  /**
   * Charges a sent packet to the current queue pair. Ends its turn at once if it has nothing more
   * to send, as an empty poll costs almost as much as a packet.
   */
  void firstSent(TransmitUnit unit) {
    RoundQuota quota = currentQp.quota();
    quota.packets--;
    quota.bytes -= unit.payloadBytes();
    if (quota.isUsedUp() || !currentQp.hasToSend()) {
      endTurn();
    }
  }

  /** Ends the turn of the current queue pair, which cannot send now. */
  void firstSentNothing() {
    if (currentQp.quota().packets < turnPackets) {
      endTurn();
    } else {
      currentQp = null;
    }
  }

  /** Moves the current queue pair to the next round, idle or not: {@link #join} renews quotas. */
  private void endTurn() {
    RoundQuota quota = currentQp.quota();
    if (!quota.isWaiting) {
      quota.isWaiting = true;
      waitingQps.addLast(currentQp);
    }
    currentQp = null;
  }
}

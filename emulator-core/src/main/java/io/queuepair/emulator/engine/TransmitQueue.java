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
  private final Deque<QpEngine> fresh = new ArrayDeque<>();

  /** Queue pairs that had a turn: they get a new share when they come first. */
  private final Deque<QpEngine> waiting = new ArrayDeque<>();

  /** The one whose turn it is, or null between two turns. */
  private @Nullable QpEngine current;

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
    return current == null && fresh.isEmpty() && waiting.isEmpty();
  }

  /** All that may have something to send, in no particular order. */
  List<QpEngine> all() {
    Set<QpEngine> all = new LinkedHashSet<>(fresh);
    all.addAll(waiting);
    if (current != null) {
      all.add(current);
    }
    return List.copyOf(all);
  }

  /** The one whose turn it is; null if no queue pair has anything to send. */
  @Nullable QpEngine first() {
    while (current == null && !isEmpty()) {
      QpEngine next = fresh.isEmpty() ? nextOfRound() : fresh.removeFirst();
      next.share().isFresh = false;
      current = next.hasToSend() ? next : null;
    }
    return current;
  }

  private QpEngine nextOfRound() {
    QpEngine next = waiting.removeFirst();
    next.share().isWaiting = false;
    renew(next.share());
    return next;
  }

  private void renew(RoundQuota share) {
    share.packets = turnPackets;
    share.bytes = turnBytes;
  }

  /** Puts one among the fresh ones, if it has something to send, and a share left. */
  void join(QpEngine sender) {
    RoundQuota share = sender.share();
    if (share.isFresh || sender == current || !sender.hasToSend()) {
      return;
    }
    if (!share.isWaiting) {
      renew(share);
    }
    if (!share.isUsedUp()) {
      share.isFresh = true;
      fresh.addLast(sender);
    }
  }

  /** The first has sent something. To ask it in vain would cost almost as much as another. */
  void firstSent(TransmitUnit sent) {
    RoundQuota share = current.share();
    share.packets--;
    share.bytes -= sent.payloadBytes();
    if (share.isUsedUp() || !current.hasToSend()) {
      endTurn();
    }
  }

  /** The first sends nothing for now, even if it has something to send. */
  void firstSentNothing() {
    if (current.share().packets < turnPackets) {
      endTurn();
    } else {
      current = null;
    }
  }

  /** It waits for the next round even if it has nothing to send, or its share would be renewed. */
  private void endTurn() {
    RoundQuota share = current.share();
    if (!share.isWaiting) {
      share.isWaiting = true;
      waiting.addLast(current);
    }
    current = null;
  }
}

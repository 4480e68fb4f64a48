package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.wire.Outgoing;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Queue pairs that may have something to send. They take turns, in each of which one sends some
 * packets and bytes at most, so that none waits for long behind one that sends much. One that had
 * nothing to send goes before those that always have, once in each of their rounds (deficit round
 * robin with a list of new flows, as in RFC 8290).
 */
final class Senders {
  private final int turnPackets;
  private final int turnBytes;

  /** Those that had nothing to send when the others last had their turns. */
  private final Deque<QpLifecycle> fresh = new ArrayDeque<>();

  /** Those that had a turn; one that has nothing to send any more stays until the next. */
  private final Deque<QpLifecycle> waiting = new ArrayDeque<>();

  /** The one whose turn it is, or null between two turns. */
  private QpLifecycle current;

  /** Packets it may still send before it is the next one's turn. */
  private int packetsLeft;

  /** The same of bytes; the last packet of a turn may go beyond them. */
  private int bytesLeft;

  Senders(Pacing pacing) {
    turnPackets = pacing.turnPackets();
    turnBytes = pacing.turnBytes();
  }

  boolean isEmpty() {
    return current == null && fresh.isEmpty() && waiting.isEmpty();
  }

  /** The one whose turn it is; null if no queue pair has anything to send. */
  QpLifecycle first() {
    while (current == null && !isEmpty()) {
      boolean isFresh = !fresh.isEmpty();
      QpLifecycle next = isFresh ? fresh.removeFirst() : waiting.removeFirst();
      if (next.hasToSend()) {
        current = next;
        packetsLeft = turnPackets;
        bytesLeft = turnBytes;
      } else {
        next.setQueuedToSend(false);
      }
    }
    return current;
  }

  /** Puts one among the fresh ones, if it has something to send and does not stand here already. */
  void join(QpLifecycle sender) {
    if (!sender.isQueuedToSend() && sender.hasToSend()) {
      sender.setQueuedToSend(true);
      fresh.addLast(sender);
    }
  }

  /** The first has sent something. To ask it in vain would cost almost as much as another. */
  void firstSent(Outgoing sent) {
    packetsLeft--;
    bytesLeft -= sent.payloadBytes();
    if (packetsLeft == 0 || bytesLeft <= 0 || !current.hasToSend()) {
      waiting.addLast(current);
      current = null;
    }
  }

  /** The first sends nothing for now, even if it has something to send. */
  void firstSentNothing() {
    boolean hasSent = packetsLeft < turnPackets;
    if (hasSent) {
      waiting.addLast(current); // Or it would be a fresh one at the next acknowledgement.
    } else {
      current.setQueuedToSend(false);
    }
    current = null;
  }
}

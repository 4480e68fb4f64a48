package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.wire.Outgoing;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Queue pairs that may have something to send. They take turns, in each of which one sends some
 * packets and bytes at most, so that none waits for long behind one that sends much.
 */
final class Senders {
  private final int turnPackets;
  private final int turnBytes;
  private final Deque<QpLifecycle> waiting = new ArrayDeque<>();

  /** Packets the first may still send before it is the next one's turn. */
  private int packetsLeft;

  /** The same of bytes; the last packet of a turn may go beyond them. */
  private int bytesLeft;

  Senders(Pacing pacing) {
    turnPackets = pacing.turnPackets();
    turnBytes = pacing.turnBytes();
    beginTurn();
  }

  private void beginTurn() {
    packetsLeft = turnPackets;
    bytesLeft = turnBytes;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The one whose turn it is; only if there is one. */
  QpLifecycle first() {
    return waiting.getFirst();
  }

  /** Puts one at the end, if it has something to send and does not stand here already. */
  void join(QpLifecycle sender) {
    if (!sender.isQueuedToSend() && sender.hasToSend()) {
      sender.setQueuedToSend(true);
      waiting.addLast(sender);
    }
  }

  /** The first has sent something. To ask it in vain would cost almost as much as another. */
  void firstSent(Outgoing sent) {
    packetsLeft--;
    bytesLeft -= sent.payloadBytes();
    if (packetsLeft == 0 || bytesLeft <= 0 || !first().hasToSend()) {
      join(leave());
    }
  }

  /** The first sends nothing for now, even if it has something to send. */
  void firstSentNothing() {
    leave();
  }

  private QpLifecycle leave() {
    QpLifecycle first = waiting.removeFirst();
    first.setQueuedToSend(false);
    beginTurn();
    return first;
  }
}

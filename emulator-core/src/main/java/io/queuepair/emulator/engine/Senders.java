package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Pacing;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Queue pairs that may have something to send. They take turns, in each of which one sends some
 * packets at most, so that none waits for long behind one that sends much.
 */
final class Senders {
  private final int turnPackets;
  private final Deque<QpLifecycle> waiting = new ArrayDeque<>();

  /** Packets the first may still send before it is the next one's turn. */
  private int turnLeft;

  Senders(Pacing pacing) {
    turnPackets = pacing.turnPackets();
    turnLeft = turnPackets;
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

  /** The first has sent a packet. To ask it in vain would cost almost as much as another. */
  void firstSent() {
    turnLeft--;
    if (turnLeft == 0 || !first().hasToSend()) {
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
    turnLeft = turnPackets;
    return first;
  }
}

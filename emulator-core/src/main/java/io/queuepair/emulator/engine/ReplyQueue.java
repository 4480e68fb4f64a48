package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Aeth;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * What the responder still has to send, in PSN order: acknowledgements and READ responses. An
 * acknowledgement that would directly follow another replaces it, because it covers it.
 */
final class ReplyQueue {
  /** An ACK or NAK of one PSN. */
  record Acknowledgement(int psn, Aeth aeth) {}

  /** Holds {@link Acknowledgement} and {@link ReadReply}. */
  private final Deque<Object> replies = new ArrayDeque<>();

  private int reads;

  /** How many of {@link #reads} answer a request again. */
  private int repeats;

  boolean isEmpty() {
    return replies.isEmpty();
  }

  /** READ responses not yet sent to the end. */
  int reads() {
    return reads;
  }

  /** How many of {@link #reads} answer a new request. */
  int newReads() {
    return reads - repeats;
  }

  /** How many of {@link #reads} answer a request again. */
  int repeats() {
    return repeats;
  }

  void acknowledge(int psn, Aeth aeth) {
    if (replies.peekLast() instanceof Acknowledgement last && last.aeth().isAck()) {
      replies.removeLast();
    }
    replies.addLast(new Acknowledgement(psn, aeth));
  }

  void add(ReadReply reply) {
    replies.addLast(reply);
    reads++;
    repeats += reply.isRepeat() ? 1 : 0;
  }

  /** The READ response that is next, or null if an acknowledgement or nothing is. */
  ReadReply nextRead() {
    return replies.peekFirst() instanceof ReadReply read ? read : null;
  }

  Acknowledgement takeAcknowledgement() {
    return (Acknowledgement) replies.removeFirst();
  }

  void removeNextRead() {
    removed((ReadReply) replies.removeFirst());
  }

  private void removed(ReadReply reply) {
    reads--;
    repeats -= reply.isRepeat() ? 1 : 0;
  }

  /** Drops the unsent part of a READ response that is being asked for again. */
  void removeReadCovering(int psn) {
    for (Iterator<Object> each = replies.iterator(); each.hasNext(); ) {
      if (each.next() instanceof ReadReply read && read.contains(psn)) {
        each.remove();
        removed(read);
      }
    }
  }

  void clear() {
    replies.clear();
    reads = 0;
    repeats = 0;
  }
}

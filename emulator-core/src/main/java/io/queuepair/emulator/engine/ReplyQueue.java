package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Aeth;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * What the responder still has to send, in PSN order: acknowledgements, and the answers to requests
 * that want more. An acknowledgement that would directly follow another replaces it, because it
 * covers it.
 */
final class ReplyQueue {
  /** An ACK or NAK of one PSN. While it waits, a later one may take its place. */
  static final class Acknowledgement {
    private final String note;
    private int psn;
    private final Aeth nak;
    private int creditCode;
    private int msn;

    /**
     * Of one PSN.
     *
     * @param nak null for an ACK
     * @param note why a NAK is sent, in words, or null
     */
    Acknowledgement(int psn, Aeth nak, String note) {
      this.psn = psn;
      this.nak = nak;
      this.note = note;
    }

    private void becomeAck(int newPsn, int newCreditCode, int newMsn) {
      psn = newPsn;
      creditCode = newCreditCode;
      msn = newMsn;
    }

    private boolean isAck() {
      return nak == null;
    }

    int psn() {
      return psn;
    }

    Aeth aeth() {
      return isAck() ? Aeth.ack(creditCode, msn) : nak;
    }

    String note() {
      return note;
    }
  }

  /**
   * The answer to an atomic.
   *
   * @param original the value that it found
   */
  record AtomicAnswer(int psn, long original, boolean isRepeat) {}

  /**
   * Holds {@link Acknowledgement}, {@link AtomicAnswer} and {@link ReadReply}; small while idle.
   */
  private final Deque<Object> replies = new ArrayDeque<>(1);

  private int reads;
  private int atomics;

  /** How many of {@link #reads} and {@link #atomics} answer a request again. */
  private int repeats;

  boolean isEmpty() {
    return replies.isEmpty();
  }

  /** READ responses not yet sent to the end. */
  int reads() {
    return reads;
  }

  /** Answers to new requests not yet sent to the end. */
  int outstanding() {
    return reads + atomics - repeats;
  }

  /** Answers to requests that were answered before. */
  int repeats() {
    return repeats;
  }

  /** Acknowledges with an ACK, which carries no more than these: most answers are one. */
  void acknowledge(int psn, int creditCode, int msn) {
    Acknowledgement ack = lastAck();
    if (ack == null) {
      ack = new Acknowledgement(psn, null, null);
      replies.addLast(ack);
    }
    ack.becomeAck(psn, creditCode, msn);
  }

  void refuse(Acknowledgement nak) {
    if (lastAck() != null) {
      replies.removeLast();
    }
    replies.addLast(nak);
  }

  /** The acknowledgement that the next one takes the place of, or null. */
  private Acknowledgement lastAck() {
    return replies.peekLast() instanceof Acknowledgement last && last.isAck() ? last : null;
  }

  void add(AtomicAnswer answer) {
    replies.addLast(answer);
    atomics++;
    repeats += answer.isRepeat() ? 1 : 0;
  }

  void add(ReadReply reply) {
    replies.addLast(reply);
    reads++;
    repeats += reply.isRepeat() ? 1 : 0;
  }

  /** What is next, or null. */
  Object peek() {
    return replies.peekFirst();
  }

  void removeNext() {
    removed(replies.removeFirst());
  }

  private void removed(Object reply) {
    if (reply instanceof ReadReply read) {
      reads--;
      repeats -= read.isRepeat() ? 1 : 0;
    } else if (reply instanceof AtomicAnswer answer) {
      atomics--;
      repeats -= answer.isRepeat() ? 1 : 0;
    }
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
    atomics = 0;
    repeats = 0;
  }
}

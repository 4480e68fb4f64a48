package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Psn;

/**
 * The PSNs of a requester: which packet of which send goes next, and which are not acknowledged
 * yet. Sends start, and are retired, strictly in order.
 */
final class SendWindow {
  private final QpContext qp;
  private final Ring<SendWqe> queue;
  private final CreditLimit credits;

  /** PSN the next new request will carry. */
  private int nextPsn;

  /** Oldest PSN not acknowledged. */
  private int unackedPsn;

  /** PSN after the last one ever sent; equals {@link #unackedPsn} if nothing is in flight. */
  private int sentEndPsn;

  /** Number of the send whose packet goes next. */
  private long cursor;

  /** How many PSNs of that send have gone out (again). */
  private int cursorPacket;

  private int responsesOutstanding;

  /** Payload bytes sent from the oldest PSN not acknowledged on, since it was last gone back to. */
  private long bytesInFlight;

  SendWindow(QpContext qp, CreditLimit credits) {
    this.qp = qp;
    this.credits = credits;
    queue = qp.sendQueue();
  }

  void start(int psn) {
    nextPsn = psn;
    unackedPsn = psn;
    sentEndPsn = psn;
    cursor = queue.head();
    cursorPacket = 0;
    responsesOutstanding = 0;
    credits.start();
    bytesInFlight = 0;
  }

  /** PSN of the next packet that is not a retransmission. */
  int sentEndPsn() {
    return sentEndPsn;
  }

  int unackedPsn() {
    return unackedPsn;
  }

  boolean isIdle() {
    return unackedPsn == sentEndPsn;
  }

  int responsesOutstanding() {
    return responsesOutstanding;
  }

  /** How many messages that take a receive the peer lets start. */
  CreditLimit credits() {
    return credits;
  }

  /** The oldest send not yet completed, or null. */
  SendWqe oldest() {
    return queue.peek();
  }

  /** The oldest send not yet completed, if it was started; otherwise null. */
  SendWqe oldestStarted() {
    SendWqe oldest = oldest();
    return oldest != null && oldest.isStarted() ? oldest : null;
  }

  /** The send whose packet goes next, or null. */
  SendWqe current() {
    return cursor < queue.tail() ? queue.get(cursor) : null;
  }

  int currentPacket() {
    return cursorPacket;
  }

  int currentPsn() {
    return Psn.add(current().firstPsn(), cursorPacket);
  }

  /** Whether a PSN was sent and is not acknowledged. */
  boolean isInFlight(int psn) {
    return Psn.distance(unackedPsn, psn) < Psn.distance(unackedPsn, sentEndPsn);
  }

  /** Gives the current send its PSNs. */
  void startCurrent(int packets) {
    SendWqe wqe = current();
    wqe.start(nextPsn, packets);
    nextPsn = Psn.add(nextPsn, packets);
    if (wqe.wantsResponse()) {
      responsesOutstanding++;
    }
    credits.started(wqe);
  }

  /** Whether the next packet stays within what may be unacknowledged. */
  boolean isOpen(Pacing pacing) {
    return Psn.distance(unackedPsn, currentPsn()) < pacing.windowPackets()
        && bytesInFlight < pacing.windowBytes();
  }

  /** Notes that the next PSNs of the current send have gone out, in a packet with a payload. */
  void advance(int packets, int payloadBytes) {
    bytesInFlight += payloadBytes;
    int end = Psn.add(currentPsn(), packets);
    // By distance: a READ may take 2^23 PSNs, so far apart that none of two is after the other.
    if (Psn.distance(unackedPsn, end) > Psn.distance(unackedPsn, sentEndPsn)) {
      sentEndPsn = end;
    }
    cursorPacket += packets;
    if (cursorPacket == current().packets()) {
      cursor++;
      cursorPacket = 0;
    }
  }

  /** Goes back to the oldest PSN that is not acknowledged. */
  void rewind() {
    cursor = queue.head();
    cursorPacket = 0;
    bytesInFlight = 0;
    SendWqe oldest = oldestStarted();
    if (oldest != null) {
      cursorPacket = Psn.distance(oldest.firstPsn(), unackedPsn);
    }
  }

  /** Notes that a packet inside the oldest send, not its last, is acknowledged. */
  void acknowledge(int psn) {
    SendWqe oldest = oldestStarted();
    int end = Psn.add(psn, 1);
    if (!oldest.wantsResponse()) {
      landed((long) Psn.distance(unackedPsn, end) * qp.attributes().mtuBytes());
    }
    unackedPsn = end;
    int done = Psn.distance(oldest.firstPsn(), unackedPsn);
    if (cursor == queue.head() && cursorPacket < done) {
      cursorPacket = done;
    }
  }

  /** Removes the oldest send, which is done. */
  SendWqe retire() {
    SendWqe done = queue.poll();
    if (done.isStarted()) {
      credits.retired(done);
      if (done.wantsResponse()) {
        responsesOutstanding--;
      } else {
        int before = Psn.distance(done.firstPsn(), unackedPsn);
        landed(done.lengthBytes() - (long) before * qp.attributes().mtuBytes());
      }
      unackedPsn = Psn.add(done.lastPsn(), 1);
    }
    if (cursor < queue.head()) {
      cursor = queue.head();
      cursorPacket = 0;
    }
    return done;
  }

  /** After going back, what was sent before may still land: then nothing is in flight. */
  private void landed(long bytes) {
    bytesInFlight = Math.max(0, bytesInFlight - bytes);
  }
}

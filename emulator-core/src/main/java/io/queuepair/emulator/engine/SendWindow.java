// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * The PSNs of a requester: which packet of which send goes next, and which are not acknowledged
 * yet. Sends start, and are retired, strictly in order.
 */
final class SendWindow {
  private final QpContext qp;
  private final Ring<SendWqe> ring;
  private final EndToEndCredits credits;

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

  /** PSN of the last packet that asked for an answer; is in flight while one is due. */
  private int askedPsn;

  /** Payload bytes sent from the oldest PSN not acknowledged on, since it was last gone back to. */
  private long bytesInFlight;

  /**
   * Not started yet.
   *
   * @param usesCredits whether it heeds how many receives the peer says that it has
   */
  SendWindow(QpContext qp, boolean usesCredits) {
    this.qp = qp;
    credits = new EndToEndCredits(usesCredits);
    ring = qp.sendQueue();
  }

  void start(int psn) {
    nextPsn = psn;
    unackedPsn = psn;
    sentEndPsn = psn;
    askedPsn = Psn.add(psn, -1);
    cursor = ring.head();
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

  /** Whether the peer has a receive for a send that takes one. */
  boolean mayStart(SendWqe next) {
    return credits.allows(next);
  }

  /** Whether only a few sends more could start than are under way. */
  boolean hasFewCredits(int few) {
    return credits.areFewerThan(few);
  }

  /** Takes the credits of an ACK, after the messages that it acknowledges were retired. */
  void grantCredits(int creditCode) {
    credits.granted(creditCode);
  }

  /** The oldest send not yet completed, or null. */
  @Nullable SendWqe oldest() {
    return ring.peek();
  }

  /** The oldest send not yet completed, if it was started; otherwise null. */
  @Nullable SendWqe oldestStarted() {
    SendWqe oldestWqe = oldest();
    return oldestWqe != null && oldestWqe.isStarted() ? oldestWqe : null;
  }

  /** The send whose packet goes next, or null. */
  @Nullable SendWqe current() {
    return cursor < ring.tail() ? ring.get(cursor) : null;
  }

  /** The send that follows, or null. */
  @Nullable SendWqe next() {
    return cursor + 1 < ring.tail() ? ring.get(cursor + 1) : null;
  }

  /** An answer was asked for, which acknowledges everything up to a PSN. */
  void asked(int psn) {
    askedPsn = psn;
  }

  /** Whether an answer was asked for that has not come. */
  boolean isAnswerDue() {
    return isInFlight(askedPsn);
  }

  /**
   * The send whose last packet was sent last of all, if no answer is due; null if there is none, or
   * more will be sent of the current one.
   */
  @Nullable SendWqe lastUnasked() {
    if (isIdle() || isAnswerDue() || cursorPacket != 0) {
      return null;
    }
    for (long number = cursor - 1; number >= ring.head(); number--) {
      SendWqe sentWqe = ring.get(number);
      if (!sentWqe.operation().isLocal()) {
        return Psn.add(sentWqe.lastPsn(), 1) == sentEndPsn ? sentWqe : null;
      }
    }
    return null;
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
    if (wqe.operation().needsResponse()) {
      responsesOutstanding++;
    }
    credits.started(wqe);
  }

  /** Whether the next packet stays within what may be unacknowledged. */
  boolean isOpen(SendWindowConfig sendWindow) {
    return Psn.distance(unackedPsn, currentPsn()) < sendWindow.windowPackets()
        && bytesInFlight < sendWindow.windowBytes();
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
    cursor = ring.head();
    cursorPacket = 0;
    bytesInFlight = 0;
    SendWqe oldestWqe = oldestStarted();
    if (oldestWqe != null) {
      cursorPacket = Psn.distance(oldestWqe.firstPsn(), unackedPsn);
    }
  }

  /** Notes that a packet inside the oldest send, not its last, is acknowledged. */
  void acknowledge(int psn) {
    SendWqe oldestWqe = oldestStarted();
    int end = Psn.add(psn, 1);
    if (!oldestWqe.operation().needsResponse()) {
      delivered((long) Psn.distance(unackedPsn, end) * qp.attributes().mtuBytes());
    }
    unackedPsn = end;
    int done = Psn.distance(oldestWqe.firstPsn(), unackedPsn);
    if (cursor == ring.head() && cursorPacket < done) {
      cursorPacket = done;
    }
  }

  /** Removes the oldest send, which is done. */
  SendWqe retire() {
    SendWqe wqe = ring.poll();
    if (wqe.isStarted()) {
      credits.retired(wqe);
      if (wqe.operation().needsResponse()) {
        responsesOutstanding--;
      } else {
        int before = Psn.distance(wqe.firstPsn(), unackedPsn);
        delivered(wqe.lengthBytes() - (long) before * qp.attributes().mtuBytes());
      }
      unackedPsn = Psn.add(wqe.lastPsn(), 1);
    }
    if (cursor < ring.head()) {
      cursor = ring.head();
      cursorPacket = 0;
    }
    return wqe;
  }

  /** After going back, what was sent before may still land: then nothing is in flight. */
  private void delivered(long bytes) {
    bytesInFlight = Math.max(0, bytesInFlight - bytes);
  }

  /**
   * End-to-end flow control of a requester: the receives that its peer has for messages that are
   * not acknowledged yet. One message more may be under way, so that a requester never stops for
   * good: its answer brings new credits, or it is refused and comes again. (InfiniBand
   * specification, end-to-end message level flow control.)
   */
  private static final class EndToEndCredits {
    private final boolean isHonoured;

    /** Whether the peer has said how many receives it has. */
    private boolean isLimited;

    /** How many it had for messages after those acknowledged. */
    private int receives;

    /** Messages that take a receive, have started and are not acknowledged. */
    private int underWay;

    EndToEndCredits(boolean isHonoured) {
      this.isHonoured = isHonoured;
    }

    void start() {
      isLimited = false;
      underWay = 0;
    }

    /** Takes the credits of an ACK, after the messages that it acknowledges were retired. */
    void granted(int code) {
      isLimited = isHonoured && code != Aeth.UNLIMITED_CREDITS;
      receives = isLimited ? Aeth.receiveWqes(code) : 0;
    }

    boolean areFewerThan(int few) {
      return isLimited && receives - underWay < few;
    }

    boolean allows(SendWqe next) {
      // Rule requester.credits: One message more is started than the peer has receives for.
      // Source: IBTA vol. 1, End-to-End (Message Level) Flow Control
      // Test: CreditTest.startsOneMessageMoreThanThereAreReceives
      return !next.operation().takesReceive() || !isLimited || underWay <= receives;
    }

    void started(SendWqe wqe) {
      underWay += wqe.operation().takesReceive() ? 1 : 0;
    }

    void retired(SendWqe wqe) {
      underWay -= wqe.operation().takesReceive() ? 1 : 0;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Psn;
import org.jspecify.annotations.Nullable;

/** PSN state of a requester. Sends start and retire strictly in order. */
final class SendWindow {
  private final QpContext qp;
  private final Ring<SendWqe> ring;
  private final EndToEndCredits credits;

  /** PSN that the next new request starts with. */
  private int nextPsn;

  /** Oldest unacknowledged PSN. */
  private int unackedPsn;

  /** PSN after the last one ever sent; equals {@link #unackedPsn} if nothing is in flight. */
  private int sentEndPsn;

  /** Number in the ring of the send whose packet goes next. */
  private long cursor;

  /** PSNs of that send before its next packet. */
  private int cursorPacket;

  private int responsesOutstanding;

  /** PSN of the last packet with AckReq; in flight while an acknowledgement is due. */
  private int askedPsn;

  /** Unacknowledged payload bytes sent since the last {@link #rewind}. */
  private long bytesInFlight;

  /**
   * Creates a window that is not started.
   *
   * @param usesCredits whether end-to-end credits of the peer are respected
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

  /** Whether the credits of the peer allow a send to start. */
  boolean mayStart(SendWqe next) {
    return credits.allows(next);
  }

  boolean hasFewCredits(int few) {
    return credits.areFewerThan(few);
  }

  /** Sets the credits of an ACK, after the messages that it acknowledges were retired. */
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

  /** Send after the current one, or null. */
  @Nullable SendWqe next() {
    return cursor + 1 < ring.tail() ? ring.get(cursor + 1) : null;
  }

  /** Notes that an acknowledgement up to a PSN was asked for. */
  void asked(int psn) {
    askedPsn = psn;
  }

  /** Whether an acknowledgement was asked for and has not come. */
  boolean isAnswerDue() {
    return isInFlight(askedPsn);
  }

  /**
   * Send of the last packet sent, if no acknowledgement is due, and no packet of that send follows;
   * otherwise null.
   */
  @Nullable SendWqe lastUnasked() {
    if (isIdle() || isAnswerDue()) {
      return null;
    }
    if (cursorPacket != 0) {
      return current().failure() == null ? null : current();
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

  /** Assigns PSNs to the current send. */
  void startCurrent(int packets) {
    SendWqe wqe = current();
    wqe.start(nextPsn, packets);
    nextPsn = Psn.add(nextPsn, packets);
    if (wqe.operation().needsResponse()) {
      responsesOutstanding++;
    }
    credits.started(wqe);
  }

  /** Whether the window allows the next packet. */
  boolean isOpen(SendWindowConfig sendWindow) {
    return Psn.distance(unackedPsn, currentPsn()) < sendWindow.windowPackets()
        && bytesInFlight < sendWindow.windowBytes();
  }

  /** Notes that the next PSNs of the current send have left, in one packet with this payload. */
  void advance(int packets, int payloadBytes) {
    bytesInFlight += payloadBytes;
    int end = Psn.add(currentPsn(), packets);
    // Compares distances: a READ may take 2^23 PSNs, too many for Psn.isBefore to order.
    if (Psn.distance(unackedPsn, end) > Psn.distance(unackedPsn, sentEndPsn)) {
      sentEndPsn = end;
    }
    cursorPacket += packets;
    if (cursorPacket == current().packets()) {
      cursor++;
      cursorPacket = 0;
    }
  }

  /** Goes back to the oldest unacknowledged PSN. */
  void rewind() {
    cursor = ring.head();
    cursorPacket = 0;
    bytesInFlight = 0;
    SendWqe oldestWqe = oldestStarted();
    if (oldestWqe != null) {
      cursorPacket = Psn.distance(oldestWqe.firstPsn(), unackedPsn);
    }
  }

  /** Notes the acknowledgement of a packet of the oldest send that is not its last one. */
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

  /** Removes the oldest send, which has completed or failed. */
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

  /** Subtracts acknowledged bytes, down to 0: packets from before a rewind may be among them. */
  private void delivered(long bytes) {
    bytesInFlight = Math.max(0, bytesInFlight - bytes);
  }

  /**
   * End-to-end credits of a requester: receives of the peer for unacknowledged messages. One
   * message more may be in flight, so that a requester never stalls: its acknowledgement brings new
   * credits, or an RNR NAK a retry. (InfiniBand specification, end-to-end message level flow
   * control.)
   */
  private static final class EndToEndCredits {
    private final boolean isHonoured;

    /** Whether the last ACK carried a credit limit. */
    private boolean isLimited;

    /** Receives of the peer for messages after the acknowledged ones. */
    private int receives;

    /** Unacknowledged messages that have started and take a receive. */
    private int underWay;

    EndToEndCredits(boolean isHonoured) {
      this.isHonoured = isHonoured;
    }

    void start() {
      isLimited = false;
      underWay = 0;
    }

    /** Sets the credits of an ACK, after the messages that it acknowledges were retired. */
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

    /** Counts a message that has ended, and its receive, until an ACK tells how many there are. */
    void retired(SendWqe wqe) {
      if (wqe.operation().takesReceive()) {
        underWay--;
        receives = Math.max(0, receives - 1);
      }
    }
  }
}

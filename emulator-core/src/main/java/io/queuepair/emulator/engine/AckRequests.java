// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.AckPolicy;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpState;

/** Decides which requests set the AckReq bit, and when the last packet is sent again to ask. */
final class AckRequests implements Timed {
  /** Divisor of a window, and of {@code everyMessages} for few credits and few free slots. */
  private static final int HALF = 2;

  private final QpContext qp;
  private final SendWindow window;
  private SendWindowConfig sendWindow;

  /** Packets after which AckReq is set: at most half a window. */
  private int everyPackets;

  /** Packets sent since the last one with the AckReq bit. */
  private int packets;

  /** Messages that ended since the last AckReq bit. */
  private int messages;

  /** Whether the last packet sent belongs to a signaled send. */
  private boolean isOfSignaled;

  /** Whether something waits for an acknowledgement: the last packet of the next message asks. */
  private boolean isWaitedFor;

  private boolean hasDeadline;
  private long deadlineNanos;

  AckRequests(QpContext qp, SendWindow window, SendWindowConfig sendWindow) {
    this.qp = qp;
    this.window = window;
    this.sendWindow = sendWindow;
  }

  private AckPolicy policy() {
    return sendWindow.acks();
  }

  void start(SendWindowConfig newSendWindow) {
    sendWindow = newSendWindow;
    int fullWindow = sendWindow.windowPackets(qp.attributes().mtuBytes());
    everyPackets = Math.min(policy().everyPackets(), Math.max(1, fullWindow / HALF));
    stop();
  }

  void stop() {
    asked();
  }

  /** Whether the next packet of a send gets the AckReq bit. */
  boolean asks(SendWqe wqe, boolean isLast, boolean isRepeat) {
    // Rule requester.ack-request: The last packet of a message asks for an acknowledgement, except
    // for 7 of 8 that are unsignaled, while nothing waits for one: SQD, a verb that changes or ends
    // the queue pair, a fenced request, READ, atomic or LOCAL_INV that follows, few credits, a send
    // queue that is almost full, a retry. With the profile soft-roce all ask. The 32nd
    // packet after one that asked does, too (soft-roce: 16th), or an earlier one if the window is
    // small.
    // Source: IBTA vol. 1, 9.7.5.1.2; rxe_req.c init_req_packet
    // Test: AckRequestTest.asksAtEachEighthUnsignaledMessage
    if (packets + 1 >= everyPackets) {
      return true;
    }
    return isLast
        && (!policy().coalesces()
            || wqe.isSignaled()
            || isRepeat
            || isWaitedFor
            || messages + 1 >= policy().everyMessages()
            || qp.state() == QpState.SQD
            || (wqe.operation().takesReceive()
                && window.hasFewCredits(policy().everyMessages() / HALF))
            || isNextWaiting());
  }

  /** Whether the next request must wait for the current one, or the send queue is almost full. */
  private boolean isNextWaiting() {
    Ring<SendWqe> ring = qp.sendQueue();
    SendWqe next = window.next();
    if (next == null) {
      int free = ring.capacity() - qp.sendSlots().inUse();
      return free <= Math.min(policy().everyMessages(), ring.capacity() - 1) / HALF;
    }
    return next.isFenced()
        || next.operation().needsResponse()
        || next.operation() == SendOperation.LOCAL_INV;
  }

  /** Notes that a packet of a send has left; {@code isLast} if it ends the message. */
  void sent(SendWqe wqe, Packet packet, boolean isLast, long nowNanos) {
    isOfSignaled = wqe.isSignaled();
    if (packet.asksForAck()) {
      window.asked(packet.psn());
      asked();
      return;
    }
    packets++;
    messages += isLast ? 1 : 0;
    if (!hasDeadline && !isTimed()) {
      waitFrom(nowNanos);
    }
  }

  /** Whether the ACK timer runs: an acknowledgement was asked for, or the message will ask. */
  boolean isTimed() {
    return !window.isIdle() && (!policy().coalesces() || isOfSignaled || window.isAnswerDue());
  }

  /** Notes a request whose response acknowledges all PSNs up to {@code lastPsn}. */
  void answerAsked(int lastPsn) {
    window.asked(lastPsn);
    asked();
  }

  private void asked() {
    packets = 0;
    messages = 0;
    isWaitedFor = false;
    hasDeadline = false;
  }

  /** Restarts the wait after an acknowledgement. */
  void progressed(long nowNanos) {
    hasDeadline = false;
    if (!window.isIdle() && !isTimed()) {
      waitFrom(nowNanos);
    }
  }

  private void waitFrom(long nowNanos) {
    hasDeadline = true;
    deadlineNanos = nowNanos + policy().repeatAfterNanos();
  }

  /** Makes the last packet of the next message ask, as something waits for the answer. */
  void waitForAll() {
    isWaitedFor = policy().coalesces();
  }

  /** Whether the last packet is to be sent again with the AckReq bit. */
  boolean isRepeatDue() {
    return isWaitedFor && window.lastUnasked() != null;
  }

  void expire(long nowNanos) {
    // Rule timers.ack-repeat: A requester that has not asked, and whose oldest request is not
    // acknowledged for 100 us, sends its last packet again and asks. That is no retry.
    // Source: IBTA vol. 1, 9.7.6.1.3 (what was not asked for is not timed); rxe_resp.c
    // duplicate_request
    // Test: AckRequestTest.repeatsItsLastPacketAndAsksAfterTheTime
    if (hasDeadline && nowNanos - deadlineNanos >= 0) {
      hasDeadline = false;
      isWaitedFor = true;
    }
  }

  @Override
  public boolean hasDeadline() {
    return hasDeadline;
  }

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.QpState;
import org.jspecify.annotations.Nullable;

/**
 * Requester of a reliable connection: decides which packet of which send goes next, and assigns its
 * PSN. It shares a {@link SendWindow} with the {@link Completer}, which handles responses. {@link
 * LocalOperations} executes requests without packets.
 */
final class RcRequester implements Requester {
  private static final String REPEAT = "sent again: it was not acknowledged";
  private static final String ASKS_AGAIN = "sent again to ask for an acknowledgement";

  private final QpContext qp;
  private final SendWindow window;
  private final RetryTimers retry;
  private final AckRequests acks;
  private final LocalOperations local;
  private final SendWindowConfig largestWindow;
  private final MutablePacket outgoingPacket;
  private final MessageSegmenter segmenter;
  private final Completer completer;

  /** Window limits, reduced to what the network can buffer for the peer. */
  private SendWindowConfig sendWindow;

  /**
   * Whether an RNR wait has just ended and no packet has left since, which counts as drained with
   * {@link Quirk#SQ_DRAINED_ALWAYS_RAISED}.
   */
  private boolean hasWaited;

  public RcRequester(
      PathMigration migration,
      Service service,
      EngineContext engineContext,
      CompletionWriter completions) {
    qp = migration.qp();
    window = new SendWindow(qp, engineContext.sendWindow().usesCredits());
    retry = new RetryTimers(qp.attributes(), engineContext.sendWindow());
    acks = new AckRequests(qp, window, engineContext.sendWindow());
    local = new LocalOperations(qp, engineContext.memory());
    ScatterGather scatterGather = engineContext.memory().scatterGather();
    largestWindow = engineContext.sendWindow();
    sendWindow = largestWindow;
    outgoingPacket = engineContext.outgoingPacket();
    segmenter = new MessageSegmenter(qp, service, engineContext);
    LossDiagnosis losses = new LossDiagnosis(qp, window, engineContext.losses());
    completer = new Completer(migration, scatterGather, window, retry, acks, completions, losses);
  }

  @Override
  public void start() {
    sendWindow = largestWindow.within(qp.receiveBufferBytes());
    window.start(qp.attributes().sqPsn());
    retry.start();
    acks.start(sendWindow);
    completer.start();
  }

  @Override
  public void stop() {
    retry.stop();
    acks.stop();
    hasWaited = false;
    completer.stop();
  }

  @Override
  public boolean hasWork() {
    return window.current() != null || acks.isRepeatDue();
  }

  @Override
  public @Nullable Packet pollRequest(long nowNanos) {
    if (qp.state() != QpState.RTS && qp.state() != QpState.SQD) {
      return null; // The window is valid only in RTS and SQD.
    }
    SendWqe next = passLocalWork();
    Packet packet = next == null ? null : nextPacket(next, nowNanos);
    if (packet == null && acks.isRepeatDue()) {
      packet = askAgain(nowNanos);
    }
    hasWaited &= packet == null;
    return packet;
  }

  /**
   * Executes the local requests whose turn it is, and skips those already executed. Returns the
   * next request with packets, or null if there is none or it has to wait.
   */
  private @Nullable SendWqe passLocalWork() {
    SendWqe wqe = nextRequest();
    while (wqe != null && wqe.operation().isLocal()) {
      if (!wqe.isStarted() && !local.run(wqe)) {
        return null;
      }
      pass(wqe);
      completer.completeLocal();
      wqe = nextRequest();
    }
    return wqe;
  }

  /** The next packet of a request whose turn it is, or null if it has to wait. */
  private @Nullable Packet nextPacket(SendWqe wqe, long nowNanos) {
    if (!wqe.isStarted()) {
      window.startCurrent(packetsOf(wqe));
    }
    if (!window.isOpen(sendWindow) || isPartUnderWay(wqe)) {
      return null;
    }
    boolean isRepeat = window.isInFlight(window.currentPsn());
    Packet packet =
        wqe.operation().needsResponse()
            ? request(wqe, isRepeat)
            : dataPacket(wqe, isRepeat, nowNanos);
    if (packet == null) {
      return null;
    }
    if (acks.isTimed()) {
      retry.sent(nowNanos);
    }
    return isRepeat ? outgoingPacket.annotate(REPEAT) : packet;
  }

  /** Request whose packets go next, or null if there is none or it has to wait. */
  private @Nullable SendWqe nextRequest() {
    SendWqe wqe = window.current();
    return wqe != null && maySend(wqe) ? wqe : null;
  }

  /** Moves on to the request after an executed local one. */
  private void pass(SendWqe localWqe) {
    if (!localWqe.isStarted()) {
      window.startCurrent(0);
    }
    window.advance(0, 0);
  }

  private boolean maySend(SendWqe wqe) {
    // Rule requester.fence: A fenced request waits for all READs and atomics before it.
    // Source: ibv_post_send(3), IBV_SEND_FENCE; rxe_req.c rxe_wqe_is_fenced
    // Test: RcRequesterTest.holdsAFencedSendBackUntilAllReadsAreAnswered
    // Rule requester.outstanding-reads: No more READs and atomics at once than max_rd_atomic.
    // Source: rxe_req.c check_init_depth
    // Test: RcRequesterTest.neverKeepsMoreReadsOutstandingThanAllowed
    if (retry.waitsForReceiver() || wqe.failure() != null) {
      return false;
    }
    if (wqe.isStarted()) {
      return true;
    }
    if (qp.state() == QpState.SQD) {
      return false;
    }
    boolean waitsForOldest = wqe.operation() == SendOperation.LOCAL_INV && window.oldest() != wqe;
    if (waitsForOldest || !window.mayStart(wqe)) { // Earlier requests may still use the key.
      acks.waitForAll();
      return false;
    }
    if (wqe.isFenced() && window.responsesOutstanding() > 0) {
      return false;
    }
    return !wqe.operation().needsResponse()
        || window.responsesOutstanding() < qp.attributes().maxRdAtomic();
  }

  /** Number of PSNs of a send: its packets, or for a READ those of the response. */
  private int packetsOf(SendWqe wqe) {
    // Rule requester.psns: A READ takes as many PSNs as its response has packets.
    // Source: rxe_req.c update_wqe_psn
    // Test: RcRequesterTest.asksForAReadWithOnePacketAndKeepsThePsnsOfItsAnswer
    return wqe.operation() == SendOperation.RDMA_READ || !wqe.operation().needsResponse()
        ? segmenter.packetsOf(wqe)
        : 1;
  }

  /** Whether a READ in parts still waits for the response to its last part. */
  private boolean isPartUnderWay(SendWqe wqe) {
    return wqe.operation().needsResponse()
        && window.currentPacket() > 0
        && window.currentPsn() != window.unackedPsn();
  }

  /**
   * Makes the packet of a request that needs a response. A READ asks for all bytes at first. After
   * a loss it asks for the missing bytes, one window at a time, because a receiver that lost
   * packets of a long response may be slower than its sender. Parts end at multiples of the window,
   * whatever was lost, so that the end of a late response is recognized.
   */
  private @Nullable Packet request(SendWqe wqe, boolean isRepeat) {
    int missing = wqe.packets() - window.currentPacket();
    int part = sendWindow.windowPackets(qp.attributes().mtuBytes());
    int toEndOfPart = part - window.currentPacket() % part;
    int asked = isRepeat ? Math.min(missing, toEndOfPart) : missing;
    int psn = window.currentPsn();
    Packet packet = segmenter.request(wqe, psn, bytes(window.currentPacket()), bytes(asked));
    if (packet != null) {
      wqe.requestedFrom(psn);
      if (asked < missing) {
        wqe.divide(part);
      }
      acks.answerAsked(Psn.add(psn, asked - 1));
      window.advance(asked, 0);
    }
    return packet;
  }

  private long bytes(int packets) {
    return (long) packets * qp.attributes().mtuBytes();
  }

  private @Nullable Packet dataPacket(SendWqe wqe, boolean isRepeat, long nowNanos) {
    int index = window.currentPacket();
    boolean isLast = index == wqe.packets() - 1;
    boolean asks = acks.asks(wqe, isLast, isRepeat);
    Packet packet = segmenter.packet(wqe, index, window.currentPsn(), asks);
    if (packet != null) {
      window.advance(1, packet.payloadBytes());
      acks.sent(wqe, packet, isLast, nowNanos);
    }
    return packet;
  }

  /** Repeats the last packet with AckReq; if it cannot be made, all unacknowledged ones. */
  private @Nullable Packet askAgain(long nowNanos) {
    SendWqe last = window.lastUnasked();
    int psn = Psn.add(window.sentEndPsn(), -1);
    Packet packet = segmenter.packet(last, Psn.distance(last.firstPsn(), psn), psn, true);
    if (packet == null) {
      window.rewind();
      SendWqe oldestWqe = passLocalWork();
      return oldestWqe == null ? null : nextPacket(oldestWqe, nowNanos);
    }
    acks.sent(last, packet, true, nowNanos);
    retry.sent(nowNanos);
    return outgoingPacket.annotate(ASKS_AGAIN);
  }

  @Override
  public @Nullable DropReason receiveResponse(Packet packet, long nowNanos) {
    return completer.receiveResponse(packet, nowNanos);
  }

  @Override
  public @Nullable WorkError failure() {
    WorkError connectionError = completer.failure();
    SendWqe oldestWqe = qp.sendQueue().peek();
    return connectionError == null && oldestWqe != null ? oldestWqe.failure() : connectionError;
  }

  @Override
  public SendWqe retire() {
    return window.retire();
  }

  @Override
  public boolean isBusy() {
    return window.oldestStarted() != null && !hasWaited;
  }

  @Override
  public void askForAck() {
    acks.waitForAll();
  }

  @Override
  public void retriesChanged() {
    retry.refill();
  }

  @Override
  public String blockedReason() {
    SendWqe oldestWqe = window.oldest();
    if (oldestWqe == null || !oldestWqe.isStarted()) {
      return oldestWqe != null
              && oldestWqe.operation().needsResponse()
              && qp.attributes().maxRdAtomic() == 0
          ? "cannot start, as MAX_QP_RD_ATOMIC is 0"
          : Requester.super.blockedReason();
    }
    if (isInInfiniteRnrRetry()) {
      return "was answered with "
          + retry.infiniteRnrRetries()
          + " RNR NAKs, as no receive is posted, and RNR_RETRY is 7, without limit";
    }
    String answer = "waits for the acknowledgement of PSN " + oldestWqe.firstPsn();
    return hasDeadline() ? answer : answer + " without limit, as TIMEOUT is 0";
  }

  @Override
  public boolean waitsForReceiver() {
    return retry.waitsForReceiver();
  }

  @Override
  public boolean isInInfiniteRnrRetry() {
    return retry.infiniteRnrRetries() > 0;
  }

  @Override
  public int nextPsn() {
    return window.sentEndPsn();
  }

  @Override
  public void expire(long nowNanos) {
    boolean waited = retry.waitsForReceiver();
    completer.expire(nowNanos);
    acks.expire(nowNanos);
    hasWaited = waited && !retry.waitsForReceiver() && qp.has(Quirk.SQ_DRAINED_ALWAYS_RAISED);
  }

  @Override
  public boolean hasDeadline() {
    return retry.hasDeadline() || acks.hasDeadline();
  }

  @Override
  public long deadlineNanos() {
    return Timed.earlierNanos(retry, acks);
  }
}

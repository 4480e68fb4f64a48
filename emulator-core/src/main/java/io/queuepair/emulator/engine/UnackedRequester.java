// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PortFrame;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.TransmitUnit;
import io.queuepair.verbs.QpState;
import org.jspecify.annotations.Nullable;

/** Requester without acknowledgements: a send completes when its last packet has left. */
final class UnackedRequester implements Requester {
  private final QpContext qp;
  private final Segmenter segmenter;
  private final LocalOperations local;
  private final CompletionWriter completions;
  private final RateLimiter rateLimiter;

  private int nextPsn;

  /** Packets of the oldest send that have left. */
  private int sentPackets;

  public UnackedRequester(
      QpContext qp, Segmenter segmenter, LocalOperations local, CompletionWriter completions) {
    this.qp = qp;
    this.segmenter = segmenter;
    this.local = local;
    this.completions = completions;
    rateLimiter = new RateLimiter(qp.attributes());
  }

  @Override
  public void start() {
    stop();
    nextPsn = qp.attributes().sqPsn();
  }

  @Override
  public void stop() {
    sentPackets = 0;
    rateLimiter.stop();
  }

  @Override
  public boolean hasWork() {
    return !qp.sendQueue().isEmpty();
  }

  @Override
  public @Nullable TransmitUnit pollRequest(long nowNanos) {
    SendWqe wqe = next();
    while (wqe != null && putsNothingOnTheWire(wqe)) {
      completions.sent(retire());
      wqe = next();
    }
    if (wqe == null || wqe.failure() != null || rateLimiter.holds(nowNanos)) {
      return null;
    }
    if (!wqe.isStarted()) {
      wqe.start(nextPsn, segmenter.packetsOf(wqe));
    }
    TransmitUnit unit = segmenter.packet(wqe, sentPackets, nextPsn, false);
    if (unit == null) {
      return null;
    }
    if (unit instanceof PortFrame frame) {
      rateLimiter.sent(frame.payloadBytes(), nowNanos);
    }
    nextPsn = Psn.add(nextPsn, 1);
    sentPackets++;
    if (sentPackets == wqe.packets()) {
      completions.sent(retire());
    }
    return unit;
  }

  /** The send whose turn it is, or null. */
  private @Nullable SendWqe next() {
    SendWqe wqe = qp.sendQueue().peek();
    return wqe != null && wqe.failure() == null && mayGoOn(wqe) ? wqe : null;
  }

  /** Whether a send needs no packet. Executes a local one; false if that failed. */
  private boolean putsNothingOnTheWire(SendWqe wqe) {
    return wqe.operation().isLocal() ? local.run(wqe) : segmenter.isSilentlyDiscarded(wqe);
  }

  private boolean mayGoOn(SendWqe wqe) {
    return qp.state() == QpState.RTS || (qp.state() == QpState.SQD && wqe.isStarted());
  }

  @Override
  public DropReason receiveResponse(Packet packet, long nowNanos) {
    return DropReason.MALFORMED;
  }

  @Override
  public @Nullable WorkError failure() {
    SendWqe oldestWqe = qp.sendQueue().peek();
    return oldestWqe == null ? null : oldestWqe.failure();
  }

  @Override
  public @Nullable SendWqe retire() {
    sentPackets = 0;
    return qp.sendQueue().poll();
  }

  @Override
  public boolean isBusy() {
    SendWqe oldestWqe = qp.sendQueue().peek();
    return oldestWqe != null && oldestWqe.isStarted();
  }

  @Override
  public int nextPsn() {
    return nextPsn;
  }

  @Override
  public void expire(long nowNanos) {
    rateLimiter.expire(nowNanos);
  }

  @Override
  public boolean hasDeadline() {
    return rateLimiter.isHolding();
  }

  @Override
  public long deadlineNanos() {
    return rateLimiter.deadlineNanos();
  }
}

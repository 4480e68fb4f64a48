package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Service;

/**
 * The sending half of a reliable connection: {@link Requester} for what goes out, {@link Completer}
 * for what comes back, {@link LocalWork} for what does neither, over one {@link SendWindow}.
 */
final class ReliableSendSide implements SendSide {
  private final QpContext qp;
  private final SendWindow window;
  private final RetryState retry;
  private final LocalWork local;
  private final Requester requester;
  private final Completer completer;

  /** Whether it waited for a receiver and has not gone on yet, which counts as drained. */
  private boolean hasWaited;

  ReliableSendSide(
      PathMigration migration, Service service, SharedParts parts, Completions completions) {
    qp = migration.qp();
    window = new SendWindow(qp, new CreditLimit(parts.pacing().usesCredits()));
    retry = new RetryState(qp.attributes(), parts.pacing());
    local = new LocalWork(qp, parts.memory());
    ScatterGather scatterGather = parts.memory().scatterGather();
    requester = new Requester(qp, service, parts, window, retry);
    LossDiagnosis losses = new LossDiagnosis(qp, window, parts.losses());
    completer = new Completer(migration, scatterGather, window, retry, completions, losses);
  }

  @Override
  public void start() {
    window.start(qp.attributes().sqPsn());
    retry.start();
    completer.start();
  }

  @Override
  public void stop() {
    retry.stop();
    hasWaited = false;
    completer.stop();
  }

  @Override
  public boolean hasWork() {
    return window.current() != null;
  }

  @Override
  public Packet poll(long nowNanos) {
    SendWqe next = passLocalWork();
    Packet packet = next == null ? null : requester.poll(next, nowNanos);
    hasWaited &= packet == null;
    return packet;
  }

  /**
   * Carries out the local requests whose turn it is, and passes over those that were. Returns the
   * request that is next then, or null if there is none or it has to wait.
   */
  private SendWqe passLocalWork() {
    SendWqe wqe = requester.next();
    while (wqe != null && wqe.isLocal()) {
      if (!wqe.isStarted() && !local.run(wqe)) {
        return null;
      }
      requester.pass(wqe);
      completer.completeLocal();
      wqe = requester.next();
    }
    return wqe;
  }

  @Override
  public DropReason receive(Packet packet, long nowNanos) {
    return completer.receive(packet, nowNanos);
  }

  @Override
  public Failure failure() {
    return completer.failure();
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
  public void retriesChanged() {
    retry.refill();
  }

  @Override
  public String obstacle() {
    SendWqe oldest = window.oldest();
    if (oldest == null || !oldest.isStarted()) {
      return oldest != null && oldest.wantsResponse() && qp.attributes().maxRdAtomic() == 0
          ? "cannot start, as MAX_QP_RD_ATOMIC is 0"
          : SendSide.super.obstacle();
    }
    if (isRefusedEndlessly()) {
      return "was answered with "
          + retry.endlessRefusals()
          + " RNR NAKs, as no receive is posted, and RNR_RETRY is 7, without limit";
    }
    String answer = "waits for the acknowledgement of PSN " + oldest.firstPsn();
    return retry.hasDeadline() ? answer : answer + " without limit, as TIMEOUT is 0";
  }

  @Override
  public boolean isRefusedEndlessly() {
    return retry.endlessRefusals() > 0;
  }

  @Override
  public int nextPsn() {
    return window.sentEndPsn();
  }

  @Override
  public void expire(long nowNanos) {
    boolean waited = retry.waitsForReceiver();
    completer.expire(nowNanos);
    hasWaited = waited && !retry.waitsForReceiver() && qp.has(Quirk.DRAINED_ALWAYS_TOLD);
  }

  @Override
  public boolean hasDeadline() {
    return retry.hasDeadline();
  }

  @Override
  public long deadlineNanos() {
    return retry.deadlineNanos();
  }
}

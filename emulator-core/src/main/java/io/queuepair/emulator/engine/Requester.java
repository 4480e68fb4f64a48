package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketSlot;
import io.queuepair.emulator.wire.Service;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WrOpcode;

/**
 * The outgoing part of a reliable connection's sending half: decides which packet of which send
 * goes next, and numbers it. What comes back is the {@link Completer}'s.
 */
final class Requester {
  private static final String REPEAT = "sent again: it was not acknowledged";

  private final QpContext qp;
  private final Pacing pacing;
  private final PacketSlot outgoing;
  private final SendWindow window;
  private final RetryState retry;
  private final DataSegmenter segmenter;
  private final ResponseRequests requests;

  /** Packets sent since the last one that asked for an acknowledgement. */
  private int sinceAckRequest;

  Requester(QpContext qp, Service service, SharedParts parts, SendWindow window, RetryState retry) {
    this.qp = qp;
    this.window = window;
    this.retry = retry;
    pacing = parts.pacing();
    outgoing = parts.outgoing();
    segmenter = new DataSegmenter(qp, service, parts);
    requests = new ResponseRequests(qp, service, parts);
  }

  /** The next packet of a request whose turn it is, or null if it has to wait. */
  Packet poll(SendWqe wqe, long nowNanos) {
    if (!wqe.isStarted()) {
      window.startCurrent(packetsOf(wqe));
    }
    if (!window.isOpen(pacing)) {
      return null;
    }
    boolean isRepeat = window.isInFlight(window.currentPsn());
    Packet packet = wqe.wantsResponse() ? request(wqe) : dataPacket(wqe);
    if (packet == null) {
      return null;
    }
    retry.sent(nowNanos);
    return isRepeat ? outgoing.explain(REPEAT) : packet;
  }

  /** The request whose turn it is, or null if there is none or it has to wait. */
  SendWqe next() {
    if (qp.state() != QpState.RTS && qp.state() != QpState.SQD) {
      return null; // The window is only valid while sends may go out.
    }
    SendWqe wqe = window.current();
    return wqe != null && maySend(wqe) ? wqe : null;
  }

  /** Goes on behind a local request, which has been carried out. */
  void pass(SendWqe local) {
    if (!local.isStarted()) {
      window.startCurrent(0);
    }
    window.advance(0, 0);
  }

  private boolean maySend(SendWqe wqe) {
    if (retry.waitsForReceiver() || wqe.failure() != null) {
      return false;
    }
    if (wqe.isStarted()) {
      return true;
    }
    if (qp.state() == QpState.SQD) {
      return false;
    }
    if (!window.credits().allows(wqe)) {
      return false;
    }
    if (wqe.opcode() == WrOpcode.LOCAL_INV && window.oldest() != wqe) {
      return false; // What comes before it may still use the memory.
    }
    if (wqe.isFenced() && window.responsesOutstanding() > 0) {
      return false;
    }
    return !wqe.wantsResponse() || window.responsesOutstanding() < qp.attributes().maxRdAtomic();
  }

  /** PSNs that a send takes: its packets, or for a READ those of the response. */
  private int packetsOf(SendWqe wqe) {
    return wqe.isRead() || !wqe.wantsResponse() ? segmenter.packetsOf(wqe) : 1;
  }

  /** The packet of a READ asks for all that is still missing: after a loss, from later on. */
  private Packet request(SendWqe wqe) {
    long skipped = (long) window.currentPacket() * qp.attributes().mtuBytes();
    int psn = window.currentPsn();
    Packet packet = requests.packet(wqe, psn, skipped);
    if (packet != null) {
      wqe.requestedFrom(psn);
      sinceAckRequest = 0;
      window.advance(wqe.packets() - window.currentPacket(), 0);
    }
    return packet;
  }

  private Packet dataPacket(SendWqe wqe) {
    int index = window.currentPacket();
    boolean isLast = index == wqe.packets() - 1;
    boolean asks = isLast || sinceAckRequest + 1 >= pacing.ackRequestEveryPackets();
    Packet packet = segmenter.packet(wqe, index, window.currentPsn(), asks);
    if (packet != null) {
      sinceAckRequest = asks ? 0 : sinceAckRequest + 1;
      window.advance(1, packet.payloadBytes());
    }
    return packet;
  }
}

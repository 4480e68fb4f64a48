package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Service;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import java.util.List;

/**
 * The requester half of a reliable connection: cuts sends into packets by path MTU and numbers
 * them. What comes back is the {@link Completer}'s.
 */
final class Requester {
  private final QpContext qp;
  private final ScatterGather memory;
  private final Pacing pacing;
  private final SendWindow window;
  private final RetryState retry;

  /** Packets sent since the last one that asked for an acknowledgement. */
  private int sinceAckRequest;

  Requester(
      QpContext qp, ScatterGather memory, Pacing pacing, SendWindow window, RetryState retry) {
    this.qp = qp;
    this.memory = memory;
    this.pacing = pacing;
    this.window = window;
    this.retry = retry;
  }

  /** The next request packet, or null if there is none or it has to wait. */
  Packet poll(long nowNanos) {
    if (qp.state() != QpState.RTS) {
      return null; // The window is only valid while sends may go out.
    }
    SendWqe wqe = window.current();
    if (wqe == null || !maySend(wqe)) {
      return null;
    }
    if (!wqe.isStarted()) {
      window.startCurrent(packetsOf(wqe));
    }
    if (!window.isOpen(pacing)) {
      return null;
    }
    Packet packet = wqe.isRead() ? readRequest(wqe) : dataPacket(wqe);
    if (packet != null) {
      retry.sent(nowNanos);
    }
    return packet;
  }

  private boolean maySend(SendWqe wqe) {
    if (retry.waitsForReceiver() || wqe.failure() != null) {
      return false;
    }
    if (wqe.isStarted()) {
      return true;
    }
    if (wqe.isFenced() && window.readsOutstanding() > 0) {
      return false;
    }
    return !wqe.isRead() || window.readsOutstanding() < qp.attributes().maxRdAtomic();
  }

  private int packetsOf(SendWqe wqe) {
    int mtu = qp.attributes().mtuBytes();
    return (int) Math.max(1, (wqe.lengthBytes() + mtu - 1) / mtu);
  }

  /**
   * A READ request for all that is still missing: from the first byte, or after a loss from later
   * on.
   */
  private Packet readRequest(SendWqe wqe) {
    long offset = (long) window.currentPacket() * qp.attributes().mtuBytes();
    Reth reth = new Reth(wqe.remoteAddr() + offset, wqe.rkey(), wqe.lengthBytes() - offset);
    int psn = window.currentPsn();
    wqe.requestedFrom(psn);
    window.advance(wqe.packets() - window.currentPacket(), 0);
    Bth bth = bth(Opcode.RC_RDMA_READ_REQUEST, psn, false, true);
    return new Packet(qp.route(), bth, List.of(reth), Payload.EMPTY);
  }

  private Packet dataPacket(SendWqe wqe) {
    int mtu = qp.attributes().mtuBytes();
    long offset = (long) window.currentPacket() * mtu;
    int bytes = (int) Math.min(mtu, wqe.lengthBytes() - offset);
    Payload payload = payload(wqe, offset, bytes);
    if (payload == null) {
      wqe.doom(WcStatus.LOC_PROT_ERR);
      return null;
    }
    boolean isFirst = window.currentPacket() == 0;
    boolean isLast = window.currentPacket() == wqe.packets() - 1;
    boolean isWrite = isWrite(wqe.opcode());
    boolean immediate = isLast && isWithImmediate(wqe.opcode());
    Opcode opcode =
        Opcode.select(
            Service.RC,
            isWrite ? Operation.RDMA_WRITE : Operation.SEND,
            Position.of(isFirst, isLast),
            immediate,
            false);
    // Only a packet that completes a receive can ask for an event there.
    boolean solicited = wqe.isSolicited() && isLast && (!isWrite || immediate);
    Bth bth = bth(opcode, window.currentPsn(), solicited, isLast);
    window.advance(1, bytes);
    return new Packet(qp.route(), bth, headers(wqe, isWrite && isFirst, immediate), payload);
  }

  /** The bytes of one packet, or null if the local memory may not be read. */
  private Payload payload(SendWqe wqe, long offset, int bytes) {
    if (wqe.inlineData() != null) {
      Payload data = wqe.inlineData();
      return new Payload(data.buffer(), data.offset() + (int) offset, bytes);
    }
    MemoryFault fault =
        memory.faultOf(wqe.sges(), qp.domain(), new MemoryRange(offset, bytes), null);
    return fault == null ? memory.gather(wqe.sges(), offset, bytes) : null;
  }

  private static List<ExtensionHeader> headers(SendWqe wqe, boolean reth, boolean immediate) {
    if (!reth && !immediate) {
      return List.of();
    }
    Reth target = new Reth(wqe.remoteAddr(), wqe.rkey(), wqe.lengthBytes());
    ImmDt immDt = new ImmDt(wqe.immData());
    if (reth && immediate) {
      return List.of(target, immDt);
    }
    return reth ? List.of(target) : List.of(immDt);
  }

  private Bth bth(Opcode opcode, int psn, boolean solicited, boolean endsMessage) {
    sinceAckRequest++;
    boolean ackRequest = endsMessage || sinceAckRequest >= pacing.ackRequestEveryPackets();
    if (ackRequest) {
      sinceAckRequest = 0;
    }
    int peer = qp.attributes().destQpNum();
    return new Bth(opcode, solicited, false, qp.pkey(), false, false, peer, ackRequest, psn);
  }

  private static boolean isWrite(WrOpcode opcode) {
    return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  private static boolean isWithImmediate(WrOpcode opcode) {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }
}

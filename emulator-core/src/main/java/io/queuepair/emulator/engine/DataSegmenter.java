package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.HeaderKind;
import io.queuepair.emulator.wire.Ieth;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Service;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.SendWithInv;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WrOpcode;
import java.util.List;

/** Cuts SENDs and WRITEs of a connection into packets by path MTU. */
final class DataSegmenter implements Segmenter {
  private final QpContext qp;
  private final Service service;
  private final LocalPayload local;

  DataSegmenter(QpContext qp, Service service, ScatterGather memory) {
    this.qp = qp;
    this.service = service;
    local = new LocalPayload(memory, qp.domain());
  }

  @Override
  public int packetsOf(SendWqe wqe) {
    int mtu = qp.attributes().mtuBytes();
    return (int) Math.max(1, (wqe.lengthBytes() + mtu - 1) / mtu);
  }

  @Override
  public Packet packet(SendWqe wqe, int index, int psn, boolean ackRequest) {
    int mtu = qp.attributes().mtuBytes();
    long offset = (long) index * mtu;
    int bytes = (int) Math.min(mtu, wqe.lengthBytes() - offset);
    Payload payload = local.of(wqe, offset, bytes);
    if (payload == null) {
      return null;
    }
    boolean isLast = index == wqe.packets() - 1;
    boolean immediate = isLast && wqe.hasImmediate();
    Opcode opcode =
        Opcode.select(
            service,
            wqe.isWrite() ? Operation.RDMA_WRITE : Operation.SEND,
            Position.of(index == 0, isLast),
            immediate,
            isLast && wqe.opcode() == WrOpcode.SEND_WITH_INV);
    // Only a packet that completes a receive can ask for an event there.
    boolean solicited = wqe.isSolicited() && isLast && (!wqe.isWrite() || immediate);
    int peer = qp.attributes().destQpNum();
    Bth bth =
        new Bth(opcode, solicited, qp.isMigrated(), qp.pkey(), false, false, peer, ackRequest, psn);
    return new Packet(qp.route(), bth, headers(wqe, opcode), payload);
  }

  private static List<ExtensionHeader> headers(SendWqe wqe, Opcode opcode) {
    List<HeaderKind> kinds = opcode.headers();
    return switch (kinds.size()) {
      case 0 -> List.of();
      case 1 -> List.of(header(wqe, kinds.get(0)));
      case 2 -> List.of(header(wqe, kinds.get(0)), header(wqe, kinds.get(1)));
      default -> kinds.stream().map(kind -> header(wqe, kind)).toList();
    };
  }

  private static ExtensionHeader header(SendWqe wqe, HeaderKind kind) {
    return switch (kind) {
      case XRCETH -> new XrcEth(wqe.remoteSrqn());
      case RETH -> new Reth(wqe.remoteAddr(), wqe.rkey(), wqe.lengthBytes());
      case IMM_DT -> new ImmDt(((SendWr.WithImmediate) wqe.request()).immData());
      case IETH -> new Ieth(((SendWithInv) wqe.request()).invalidateRkey());
      case RDETH, DETH, FETH, ATOMIC_ETH, AETH, ATOMIC_ACK_ETH, CNP_RESERVED ->
          throw new AssertionError(kind + " is not of a SEND or WRITE of a connection");
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.HeaderKind;
import io.queuepair.emulator.wire.Ieth;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.OpcodeClass;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.WrOpcode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts SENDs and WRITEs of a connection into packets by path MTU. */
final class MessageSegmenter implements Segmenter {
  private final QpContext qp;
  private final OpcodeClass service;
  private final PayloadReader local;
  private final MutablePacket outgoing;

  public MessageSegmenter(QpContext qp, OpcodeClass service, EngineContext parts) {
    this.qp = qp;
    this.service = service;
    local = new PayloadReader(parts.memory().scatterGather(), qp.domain());
    outgoing = parts.outgoing();
  }

  @Override
  public int packetsOf(SendWqe wqe) {
    int mtu = qp.attributes().mtuBytes();
    return (int) Math.max(1, (wqe.lengthBytes() + mtu - 1) / mtu);
  }

  @Override
  public @Nullable Packet packet(SendWqe wqe, int index, int psn, boolean ackRequest) {
    int mtu = qp.attributes().mtuBytes();
    long offset = (long) index * mtu;
    int bytes = (int) Math.min(mtu, wqe.lengthBytes() - offset);
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
    outgoing
        .reset(qp.route(), opcode, qp.pkey(), qp.attributes().destQpNum(), psn)
        .solicited(solicited)
        .migrated(qp.isMigrated())
        .ackRequest(ackRequest);
    if (!local.show(wqe, offset, bytes, outgoing)) {
      return null;
    }
    addExtensions(wqe, opcode);
    return outgoing;
  }

  private void addExtensions(SendWqe wqe, Opcode opcode) {
    List<HeaderKind> kinds = opcode.headers();
    for (int i = 0; i < kinds.size(); i++) {
      switch (kinds.get(i)) {
        case XRCETH -> outgoing.add(new XrcEth(wqe.remoteSrqn()));
        case RETH -> outgoing.addReth(wqe.remoteAddr(), wqe.rkey(), wqe.lengthBytes());
        case IMM_DT -> outgoing.add(new ImmDt(wqe.request().number()));
        case IETH -> outgoing.add(new Ieth(wqe.request().number()));
        case RDETH, DETH, FETH, ATOMIC_ETH, AETH, ATOMIC_ACK_ETH, CNP_RESERVED ->
            throw new AssertionError(kinds.get(i) + " is not of a SEND or WRITE of a connection");
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Feth;
import io.queuepair.emulator.wire.HeaderKind;
import io.queuepair.emulator.wire.Ieth;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Position;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PayloadRule;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.SelectivityLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the request packets of a connection. SENDs and WRITEs are segmented by path MTU; a request
 * that needs a response is one packet. {@link Opcode} decides which headers a packet has.
 */
final class MessageSegmenter implements Segmenter {
  /** RETH length of a FLUSH of a whole region. */
  private static final long WHOLE_REGION = 0;

  private final QpContext qp;
  private final Service service;
  private final PayloadReader payloadReader;
  private final MutablePacket outgoingPacket;

  public MessageSegmenter(QpContext qp, Service service, EngineContext engineContext) {
    this.qp = qp;
    this.service = service;
    payloadReader = new PayloadReader(engineContext.memory().scatterGather(), qp.domain());
    outgoingPacket = engineContext.outgoingPacket();
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
    SendOperation operation = wqe.operation();
    Opcode opcode =
        Opcode.select(
            service,
            operation.wireOperation(),
            Position.of(index == 0, isLast),
            isLast && operation.hasImmediate(),
            isLast && operation == SendOperation.SEND_WITH_INV);
    // Only a packet that completes a receive can request a solicited event.
    start(opcode, psn)
        .solicited(wqe.isSolicited() && opcode.completesReceive())
        .ackRequest(ackRequest);
    if (!payloadReader.show(wqe, offset, bytes, outgoingPacket)) {
      return null;
    }
    addExtensions(wqe, opcode, 0, wqe.lengthBytes());
    return outgoingPacket;
  }

  /**
   * Packet of a request that needs a response; null if its payload cannot be read, then the send
   * has failed.
   *
   * @param skippedBytes bytes of a READ that were received already
   * @param mostBytes maximum bytes to ask for of the rest of a READ
   */
  @Nullable Packet request(SendWqe wqe, int psn, long skippedBytes, long mostBytes) {
    Opcode opcode =
        Opcode.select(service, wqe.operation().wireOperation(), Position.ONLY, false, false);
    start(opcode, psn).ackRequest(true);
    boolean carriesData = opcode.payloadRule() != PayloadRule.NONE;
    if (carriesData && !payloadReader.show(wqe, 0, (int) wqe.lengthBytes(), outgoingPacket)) {
      return null;
    }
    addExtensions(wqe, opcode, skippedBytes, mostBytes);
    return outgoingPacket;
  }

  private MutablePacket start(Opcode opcode, int psn) {
    return outgoingPacket
        .reset(qp.route(), opcode, qp.pkey(), qp.attributes().destQpNum(), psn)
        .migrated(qp.isMigrated());
  }

  private void addExtensions(SendWqe wqe, Opcode opcode, long skippedBytes, long mostBytes) {
    SendRequest request = wqe.request();
    List<HeaderKind> kinds = opcode.headers();
    for (int i = 0; i < kinds.size(); i++) {
      switch (kinds.get(i)) {
        case XRCETH -> outgoingPacket.add(new XrcEth(wqe.remoteSrqn()));
        case RETH -> addReth(wqe, skippedBytes, mostBytes);
        case IMM_DT -> outgoingPacket.add(new ImmDt(request.number()));
        case IETH -> outgoingPacket.add(new Ieth(request.number()));
        case ATOMIC_ETH -> outgoingPacket.add(atomicEth(wqe));
        case FETH -> outgoingPacket.add(feth(request.flush()));
        case RDETH, DETH, AETH, ATOMIC_ACK_ETH, CNP_RESERVED ->
            throw new AssertionError(kinds.get(i) + " is not of a request of a connection");
      }
    }
  }

  private void addReth(SendWqe wqe, long skippedBytes, long mostBytes) {
    FlushWr flush = wqe.request().flush();
    if (flush != null) {
      long length = flush.level() == SelectivityLevel.MR ? WHOLE_REGION : flush.length();
      outgoingPacket.addReth(flush.remoteAddr(), flush.rkey(), length);
    } else {
      long bytes = Math.min(mostBytes, wqe.lengthBytes() - skippedBytes);
      outgoingPacket.addReth(wqe.remoteAddr() + skippedBytes, wqe.rkey(), bytes);
    }
  }

  private static AtomicEth atomicEth(SendWqe wqe) {
    SendRequest request = wqe.request();
    return wqe.operation() == SendOperation.ATOMIC_FETCH_AND_ADD
        ? new AtomicEth(request.remoteAddr(), request.rkey(), request.compareAdd(), 0)
        : new AtomicEth(request.remoteAddr(), request.rkey(), request.swap(), request.compareAdd());
  }

  private static Feth feth(FlushWr flush) {
    int placement = flush.placements().stream().mapToInt(PlacementType::code).sum();
    return new Feth(placement, flush.level().code());
  }
}

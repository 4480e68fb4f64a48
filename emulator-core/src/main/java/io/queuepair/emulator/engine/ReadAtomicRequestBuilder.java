// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Feth;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.OpcodeClass;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.PlacementType;
import org.jspecify.annotations.Nullable;

/** Makes the packets of requests that want more than an acknowledgement: one packet each. */
final class ReadAtomicRequestBuilder {
  private static final long WHOLE_REGION = 0;

  private final QpContext qp;
  private final OpcodeClass service;
  private final PayloadReader local;
  private final MutablePacket outgoing;

  ReadAtomicRequestBuilder(QpContext qp, OpcodeClass service, EngineContext parts) {
    this.qp = qp;
    this.service = service;
    local = new PayloadReader(parts.memory().scatterGather(), qp.domain());
    outgoing = parts.outgoing();
  }

  /**
   * The packet, or null if it cannot be made; then the send is doomed.
   *
   * @param skippedBytes of a READ: how much has been received and is not asked for again
   * @param mostBytes of a READ: how much of the rest is asked for, if there is as much
   */
  @Nullable Packet packet(SendWqe wqe, int psn, long skippedBytes, long mostBytes) {
    return switch (wqe.opcode()) {
      case RDMA_READ ->
          start(wqe, Operation.RDMA_READ_REQUEST, psn).add(part(wqe, skippedBytes, mostBytes));
      case ATOMIC_CMP_AND_SWP -> {
        SendRequest swap = wqe.request();
        yield start(wqe, Operation.COMPARE_SWAP, psn)
            .add(new AtomicEth(swap.remoteAddr(), swap.rkey(), swap.swap(), swap.compareAdd()));
      }
      case ATOMIC_FETCH_AND_ADD -> {
        SendRequest add = wqe.request();
        yield start(wqe, Operation.FETCH_ADD, psn)
            .add(new AtomicEth(add.remoteAddr(), add.rkey(), add.compareAdd(), 0));
      }
      case ATOMIC_WRITE -> {
        Payload payload = local.of(wqe, 0, (int) wqe.lengthBytes());
        yield payload == null
            ? null
            : start(wqe, Operation.ATOMIC_WRITE, psn).add(whole(wqe)).setPayload(payload);
      }
      case FLUSH -> flush(start(wqe, Operation.FLUSH, psn), wqe.request().flush());
      case SEND,
          SEND_WITH_IMM,
          SEND_WITH_INV,
          RDMA_WRITE,
          RDMA_WRITE_WITH_IMM,
          LOCAL_INV,
          BIND_MW,
          TSO,
          DRIVER1 ->
          throw new AssertionError(wqe.opcode() + " wants no response");
    };
  }

  private static Reth whole(SendWqe wqe) {
    return part(wqe, 0, wqe.lengthBytes());
  }

  private static Reth part(SendWqe wqe, long skippedBytes, long mostBytes) {
    long bytes = Math.min(mostBytes, wqe.lengthBytes() - skippedBytes);
    return new Reth(wqe.remoteAddr() + skippedBytes, wqe.rkey(), bytes);
  }

  private static Packet flush(MutablePacket packet, FlushWr flush) {
    int placement = flush.placements().stream().mapToInt(PlacementType::code).sum();
    long length =
        switch (flush.level()) {
          case RANGE -> flush.length();
          case MR -> WHOLE_REGION;
        };
    return packet
        .add(new Feth(placement, flush.level().code()))
        .add(new Reth(flush.remoteAddr(), flush.rkey(), length));
  }

  private MutablePacket start(SendWqe wqe, Operation operation, int psn) {
    Opcode opcode = Opcode.select(service, operation, Position.ONLY, false, false);
    outgoing
        .reset(qp.route(), opcode, qp.pkey(), qp.attributes().destQpNum(), psn)
        .migrated(qp.isMigrated())
        .ackRequest(true);
    return service == OpcodeClass.XRC ? outgoing.add(new XrcEth(wqe.remoteSrqn())) : outgoing;
  }
}

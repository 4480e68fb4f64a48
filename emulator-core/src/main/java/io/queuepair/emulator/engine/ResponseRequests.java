package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Feth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketSlot;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Service;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.AtomicCmpAndSwp;
import io.queuepair.verbs.AtomicFetchAndAdd;
import io.queuepair.verbs.Flush;
import io.queuepair.verbs.PlacementType;

/** Makes the packets of requests that want more than an acknowledgement: one packet each. */
final class ResponseRequests {
  private static final long WHOLE_REGION = 0;

  private final QpContext qp;
  private final Service service;
  private final LocalPayload local;
  private final PacketSlot outgoing;

  ResponseRequests(QpContext qp, Service service, SharedParts parts) {
    this.qp = qp;
    this.service = service;
    local = new LocalPayload(parts.memory().scatterGather(), qp.domain());
    outgoing = parts.outgoing();
  }

  /**
   * The packet, or null if it cannot be made; then the send is doomed.
   *
   * @param skippedBytes of a READ: how much has been received and is not asked for again
   */
  Packet packet(SendWqe wqe, int psn, long skippedBytes) {
    return switch (wqe.opcode()) {
      case RDMA_READ -> start(wqe, Operation.RDMA_READ_REQUEST, psn).add(reth(wqe, skippedBytes));
      case ATOMIC_CMP_AND_SWP -> {
        AtomicCmpAndSwp swap = (AtomicCmpAndSwp) wqe.request();
        yield start(wqe, Operation.COMPARE_SWAP, psn)
            .add(new AtomicEth(swap.remoteAddr(), swap.rkey(), swap.swap(), swap.compare()));
      }
      case ATOMIC_FETCH_AND_ADD -> {
        AtomicFetchAndAdd add = (AtomicFetchAndAdd) wqe.request();
        yield start(wqe, Operation.FETCH_ADD, psn)
            .add(new AtomicEth(add.remoteAddr(), add.rkey(), add.add(), 0));
      }
      case ATOMIC_WRITE -> {
        Payload payload = local.of(wqe, 0, (int) wqe.lengthBytes());
        yield payload == null
            ? null
            : start(wqe, Operation.ATOMIC_WRITE, psn).add(reth(wqe, 0)).carry(payload);
      }
      case FLUSH -> flush(start(wqe, Operation.FLUSH, psn), (Flush) wqe.request());
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

  private static Reth reth(SendWqe wqe, long skippedBytes) {
    return new Reth(wqe.remoteAddr() + skippedBytes, wqe.rkey(), wqe.lengthBytes() - skippedBytes);
  }

  private static Packet flush(PacketSlot packet, Flush flush) {
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

  private PacketSlot start(SendWqe wqe, Operation operation, int psn) {
    Opcode opcode = Opcode.select(service, operation, Position.ONLY, false, false);
    outgoing
        .start(qp.route(), opcode, qp.pkey(), qp.attributes().destQpNum(), psn)
        .migrated(qp.isMigrated())
        .ackRequest(true);
    return service == Service.XRC ? outgoing.add(new XrcEth(wqe.remoteSrqn())) : outgoing;
  }
}

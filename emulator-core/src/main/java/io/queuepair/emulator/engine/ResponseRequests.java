package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.Feth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Service;
import io.queuepair.emulator.wire.XrcEth;
import io.queuepair.verbs.AtomicCmpAndSwp;
import io.queuepair.verbs.AtomicFetchAndAdd;
import io.queuepair.verbs.Flush;
import io.queuepair.verbs.PlacementType;
import java.util.ArrayList;
import java.util.List;

/** Makes the packets of requests that want more than an acknowledgement: one packet each. */
final class ResponseRequests {
  private static final long WHOLE_REGION = 0;

  private final QpContext qp;
  private final Service service;
  private final LocalPayload local;

  ResponseRequests(QpContext qp, Service service, ScatterGather memory) {
    this.qp = qp;
    this.service = service;
    local = new LocalPayload(memory, qp.domain());
  }

  /**
   * The packet, or null if it cannot be made; then the send is doomed.
   *
   * @param skippedBytes of a READ: how much has been received and is not asked for again
   */
  Packet packet(SendWqe wqe, int psn, long skippedBytes) {
    Reth reth =
        new Reth(wqe.remoteAddr() + skippedBytes, wqe.rkey(), wqe.lengthBytes() - skippedBytes);
    return switch (wqe.opcode()) {
      case RDMA_READ -> packet(wqe, Operation.RDMA_READ_REQUEST, psn, List.of(reth));
      case ATOMIC_CMP_AND_SWP -> {
        AtomicCmpAndSwp swap = (AtomicCmpAndSwp) wqe.request();
        AtomicEth eth = new AtomicEth(swap.remoteAddr(), swap.rkey(), swap.swap(), swap.compare());
        yield packet(wqe, Operation.COMPARE_SWAP, psn, List.of(eth));
      }
      case ATOMIC_FETCH_AND_ADD -> {
        AtomicFetchAndAdd add = (AtomicFetchAndAdd) wqe.request();
        AtomicEth eth = new AtomicEth(add.remoteAddr(), add.rkey(), add.add(), 0);
        yield packet(wqe, Operation.FETCH_ADD, psn, List.of(eth));
      }
      case ATOMIC_WRITE -> {
        Payload payload = local.of(wqe, 0, (int) wqe.lengthBytes());
        yield payload == null
            ? null
            : packet(wqe, Operation.ATOMIC_WRITE, psn, List.of(reth), payload);
      }
      case FLUSH -> packet(wqe, Operation.FLUSH, psn, flushHeaders((Flush) wqe.request()));
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

  private static List<ExtensionHeader> flushHeaders(Flush flush) {
    int placement = flush.placements().stream().mapToInt(PlacementType::code).sum();
    long length =
        switch (flush.level()) {
          case RANGE -> flush.length();
          case MR -> WHOLE_REGION;
        };
    return List.of(
        new Feth(placement, flush.level().code()),
        new Reth(flush.remoteAddr(), flush.rkey(), length));
  }

  private Packet packet(
      SendWqe wqe, Operation operation, int psn, List<? extends ExtensionHeader> headers) {
    return packet(wqe, operation, psn, headers, Payload.EMPTY);
  }

  private Packet packet(
      SendWqe wqe,
      Operation operation,
      int psn,
      List<? extends ExtensionHeader> headers,
      Payload payload) {
    Opcode opcode = Opcode.select(service, operation, Position.ONLY, false, false);
    List<ExtensionHeader> all = new ArrayList<>(headers.size() + 1);
    if (service == Service.XRC) {
      all.add(new XrcEth(wqe.remoteSrqn()));
    }
    all.addAll(headers);
    int peer = qp.attributes().destQpNum();
    Bth bth = new Bth(opcode, false, qp.isMigrated(), qp.pkey(), false, false, peer, true, psn);
    return new Packet(qp.route(), bth, all, payload);
  }
}

package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Service;
import io.queuepair.verbs.AccessFlag;
import java.util.List;

/** Makes the packets of a responder's answers. */
final class ReplyPackets {
  private final QpContext qp;
  private final Service service;
  private final MemoryTable memory;

  ReplyPackets(QpContext qp, Service service, MemoryTable memory) {
    this.qp = qp;
    this.service = service;
    this.memory = memory;
  }

  Packet acknowledgement(ReplyQueue.Acknowledgement ack) {
    Bth bth = bth(opcode(Operation.ACKNOWLEDGE, Position.ONLY), ack.psn());
    return new Packet(qp.route(), bth, List.of(ack.aeth()), Payload.EMPTY, ack.note());
  }

  Packet atomicAnswer(ReplyQueue.AtomicAnswer answer, Aeth ack) {
    Bth bth = bth(opcode(Operation.ATOMIC_ACKNOWLEDGE, Position.ONLY), answer.psn());
    List<ExtensionHeader> headers = List.of(ack, new AtomicAckEth(answer.original()));
    return new Packet(qp.route(), bth, headers, Payload.EMPTY);
  }

  /** What keeps the next packet of a response from being made, or null. */
  MemoryFault faultOf(ReadReply read) {
    int bytes = read.nextBytes();
    MemoryRange range = new MemoryRange(read.nextAddr(), bytes);
    return bytes == 0
        ? null
        : memory.faultOf(read.request().rkey(), read.accessor(), range, AccessFlag.REMOTE_READ);
  }

  /** The next packet of a response that nothing is wrong with. */
  Packet readResponse(ReadReply read, Aeth ack) {
    int bytes = read.nextBytes();
    Payload payload =
        bytes == 0 ? Payload.EMPTY : memory.view(read.request().rkey(), read.nextAddr(), bytes);
    Position position = Position.of(read.isFirst(), read.isLast());
    List<ExtensionHeader> headers = position == Position.MIDDLE ? List.of() : List.of(ack);
    Bth bth = bth(opcode(Operation.RDMA_READ_RESPONSE, position), read.nextPsn());
    return new Packet(qp.route(), bth, headers, payload);
  }

  private Opcode opcode(Operation operation, Position position) {
    return Opcode.select(service, operation, position, false, false);
  }

  private Bth bth(Opcode opcode, int psn) {
    int peer = qp.attributes().destQpNum();
    return new Bth(opcode, false, qp.isMigrated(), qp.pkey(), false, false, peer, false, psn);
  }
}

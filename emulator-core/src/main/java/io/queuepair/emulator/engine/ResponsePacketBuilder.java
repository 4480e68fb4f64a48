// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Opcode.Position;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/** Makes the packets of a responder's answers. */
final class ResponsePacketBuilder {
  private final QpContext qp;
  private final Service service;
  private final MemoryTable memory;
  private final MutablePacket outgoing;

  ResponsePacketBuilder(QpContext qp, Service service, EngineContext parts) {
    this.qp = qp;
    this.service = service;
    memory = parts.memory();
    outgoing = parts.outgoing();
  }

  Packet acknowledgement(ResponseQueue.Acknowledgement ack) {
    return ack.in(start(Operation.ACKNOWLEDGE, Position.ONLY, ack.psn()));
  }

  Packet atomicAnswer(ResponseQueue.AtomicResponse answer, Aeth ack) {
    return start(Operation.ATOMIC_ACKNOWLEDGE, Position.ONLY, answer.psn())
        .add(ack)
        .add(new AtomicAckEth(answer.original()));
  }

  /** What keeps the next packet of a response from being made, or null. */
  @Nullable MemoryFault faultOf(ReadResponse read) {
    int bytes = read.nextBytes();
    MemoryRange range = new MemoryRange(read.nextAddr(), bytes);
    return bytes == 0
        ? null
        : memory.faultOf(read.request().rkey(), read.accessor(), range, AccessFlag.REMOTE_READ);
  }

  /** Names the rule that a READ breaks, with its range and key. */
  String reasonOf(MemoryFault fault, ReadResponse read) {
    MemoryRange range = new MemoryRange(read.nextAddr(), read.nextBytes());
    return memory.reasonOf(fault, read.request().rkey(), range, AccessFlag.REMOTE_READ);
  }

  /** The next packet of a response that nothing is wrong with. */
  Packet readResponse(ReadResponse read, Aeth ack) {
    int bytes = read.nextBytes();
    Payload payload =
        bytes == 0 ? Payload.EMPTY : memory.view(read.request().rkey(), read.nextAddr(), bytes);
    Position position = Position.of(read.isFirst(), read.isLast());
    start(Operation.RDMA_READ_RESPONSE, position, read.nextPsn()).setPayload(payload);
    return position == Position.MIDDLE ? outgoing : outgoing.add(ack);
  }

  private MutablePacket start(Operation operation, Position position, int psn) {
    Opcode opcode = Opcode.select(service, operation, position, false, false);
    int peer = qp.attributes().destQpNum();
    return outgoing.reset(qp.route(), opcode, qp.pkey(), peer, psn).migrated(qp.isMigrated());
  }
}
